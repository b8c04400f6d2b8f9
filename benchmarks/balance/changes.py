"""How soon calls follow a change of the searchers: python -m benchmarks.balance.changes.

A gateway plays games on searchers behind one DNS name, and one of these searchers changes:

- joins: it starts while two others have all the games. The time ends when it gets four fifths of its part.
- full: another client requests so many searches that it refuses some. The time ends when it has lost half of
  its part.
- slow: another program takes most of its processor. The time ends when it has lost half of its part.

The row says so if a change takes longer than a minute.
"""

import asyncio
import os
import random
import subprocess
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from statistics import median

import click

from battlesnake_search.channels import Connection
from battlesnake_search.common import logs
from battlesnake_search.common.access import Certificates
from battlesnake_search.common.cli import CONTEXT
from benchmarks.balance import SETTLING, Game, searcher
from searcher.serving.server import Server
from tests.support.http import answer_of
from tests.support.name_server import name_server
from tests.support.searchers import searcher as real_searcher
from tests.support.services import free_port, samples_in

WORKERS = 2
GAMES = 18
HOSTS = ("127.0.0.2", "127.0.0.3", "127.0.0.4")

TIMES = 5
"""Measurements of each change."""

AGES = (30.0, 4.0)
"""Seconds after which searchers end connections."""

FLOOD = 400
"""Searches that another client requests: so many that the searcher refuses some."""

WINDOW = 1.0
"""Seconds over which calls are counted."""

STEP = 0.1
"""Seconds between two counts."""

PATIENCE = 60.0
"""Seconds after which a change counts as not noticed."""

Calls = Callable[[], Sequence[float]]
"""Returns the calls of the games so far, by searcher."""


async def seconds_until(changed: Callable[[float], bool], calls: Calls) -> float | None:
    """Return the seconds until the last searcher's share of the calls has changed, None if it stays."""
    begin = time.monotonic()
    seen = deque([calls()], round(WINDOW / STEP) + 1)
    while time.monotonic() < begin + PATIENCE:
        await asyncio.sleep(STEP)
        seen.append(calls())
        counts = [last - first for first, last in zip(seen[0], seen[-1], strict=True)]
        if len(seen) == seen.maxlen and changed(counts[-1] / max(1.0, sum(counts))):
            # The share is a mean over the window, so it was reached in the middle of the window.
            return time.monotonic() - begin - WINDOW / 2
    return None


@asynccontextmanager
async def games(target: str, number: int = GAMES) -> AsyncIterator[list[Game]]:
    """Play games through a gateway's connection until the block ends."""
    gateway = Connection(target, Certificates(None, None, None))
    playing = [Game() for _ in range(number)]
    moves = asyncio.gather(
        *(game.play(lambda: (gateway.searches, lambda: None), float("inf")) for game in playing)
    )
    try:
        yield playing
    finally:
        moves.cancel()
        await asyncio.gather(moves, return_exceptions=True)
        await gateway.close()


def calls_of(server: Server) -> float:
    """Return the calls for a search that a searcher has got."""
    registry = server.port.metrics.registry
    samples = [sample for metric in registry.collect() for sample in metric.samples]
    names = ("searcher_searches_total", "searcher_searches_refused_total")
    return sum(sample.value for sample in samples if sample.name in names)


async def joins(age: float) -> float | None:
    """Return the seconds until a new searcher has its part."""
    port = free_port()
    async with AsyncExitStack() as stack, name_server() as (names, target):

        async def add(host: str) -> Server:
            server, _ = await stack.enter_async_context(searcher(WORKERS, f"{host}:{port}", age))
            names.addresses = (*names.addresses, host)
            return server

        servers = [await add(host) for host in HOSTS[:-1]]
        await stack.enter_async_context(games(f"{target}:{port}"))
        # Wait a random time, so that connections are of any age when the searcher joins.
        await asyncio.sleep(SETTLING + random.uniform(0, age))
        servers.append(await add(HOSTS[-1]))
        even = 1 / len(servers)
        return await seconds_until(lambda share: share > 0.8 * even, lambda: [*map(calls_of, servers)])


async def full(age: float) -> float | None:
    """Return the seconds until a searcher that another client fills has lost half of its part."""
    port = free_port()
    async with AsyncExitStack() as stack, name_server() as (names, target):
        names.addresses = HOSTS
        started = [
            await stack.enter_async_context(searcher(WORKERS, f"{host}:{port}", age)) for host in HOSTS
        ]
        servers = [server for server, _ in started]
        await stack.enter_async_context(games(f"{target}:{port}"))
        await asyncio.sleep(SETTLING)
        others = await stack.enter_async_context(games(f"{HOSTS[-1]}:{port}", FLOOD))

        def calls() -> Sequence[float]:
            *first, last = map(calls_of, servers)
            return [*first, last - sum(len(game.depths) for game in others)]

        return await seconds_until(lambda share: share < 0.5 / len(servers), calls)


async def slow(age: float) -> float | None:
    """Return the seconds until a searcher without most of its processor has lost half of its part.

    Two searchers are processes of one worker, each bound to a processor. The other program never waits.
    """
    port, processors = free_port(), sorted(os.sched_getaffinity(0))[:2]
    async with AsyncExitStack() as stack, name_server() as (names, target):
        metrics = []
        for host, processor in zip(HOSTS, processors, strict=False):
            metrics.append(free_port())
            options = ("--workers=1", f"--max-connection-age={age}", f"--metrics={host}:{metrics[-1]}")
            process = await stack.enter_async_context(real_searcher(f"{host}:{port}", *options))
            _bind(process.pid, processor)
            names.addresses = (*names.addresses, host)
        await stack.enter_async_context(games(f"{target}:{port}", GAMES // 3))
        await asyncio.sleep(SETTLING)
        stack.enter_context(_busy(processors[-1]))

        def calls() -> Sequence[float]:
            return [_ended(host, own) for host, own in zip(HOSTS, metrics, strict=False)]

        return await seconds_until(lambda share: share < 0.25, calls)


def _bind(process: int, processor: int) -> None:
    for thread in os.listdir(f"/proc/{process}/task"):
        os.sched_setaffinity(int(thread), {processor})


@contextmanager
def _busy(processor: int) -> Iterator[None]:
    """Keep a processor busy until the block ends."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as program:
        _bind(program.pid, processor)
        try:
            yield
        finally:
            program.kill()


def _ended(host: str, port: int) -> float:
    """Return the searches of a searcher that have ended, by its metrics."""
    _, text = answer_of(port, "/metrics", host=host)
    return sum(sample.value for sample in samples_in(text, "searcher_searches_total"))


CHANGES = {"joins": joins, "full": full, "slow": slow}


@click.command(context_settings=CONTEXT)
@click.argument("names", nargs=-1, metavar="[CHANGE]...", type=click.Choice(list(CHANGES)))
def main(names: Sequence[str]) -> None:
    """Print the seconds until calls follow a change: the median, the least and the most of several times."""
    logs.configure("text", "warning")
    print("| change | connections end after | seconds |\n|---|---:|---|")
    for name in names or CHANGES:
        for age in AGES:
            took = [asyncio.run(CHANGES[name](age)) for _ in range(TIMES)]
            found = [each for each in took if each is not None]
            print(f"| {name} | {age:g} s | {_cell(found)} |", flush=True)


def _cell(took: Sequence[float]) -> str:
    """Return the median, least and most of the times, and how many changes were not noticed."""
    missed = f", {TIMES - len(took)} of {TIMES} not in {PATIENCE:g} s" if len(took) < TIMES else ""
    return (f"{median(took):.1f} ({min(took):.1f} to {max(took):.1f})" if took else "-") + missed


if __name__ == "__main__":
    main()
