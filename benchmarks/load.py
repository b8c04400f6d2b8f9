"""The capacity of a searcher's core: its search depth with more and more games at once.

    python -m benchmarks.load

The searcher has its own core, plays its default strategy and shows its metrics. A gateway and the games run
on the other cores, all on loopback. Every game requests its next move as soon as it has the previous one. No
real engine is faster.
"""

import asyncio
import math
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import NamedTuple

import click
import numpy as np

from battlesnake_search.common.cli import CONTEXT
from benchmarks.games import KINDS, TIMEOUT, Move, play, with_log
from benchmarks.table import markdown
from tests.support.processes import processor_time
from tests.support.services import (
    DEFAULT,
    EXIT_WITHIN,
    ROOT,
    compile_default,
    free_port,
    running_gateway,
    samples,
)
from tests.support.stalls import StallWatch

SETTLING = 2.0
"""Seconds at the start of a round that don't count, because the gateway is still measuring latencies."""

COLUMNS = (
    "games a core",
    "moves/s",
    "depth duel",
    "depth four",
    "nodes a move",
    "searches a core",
    "search",
    "best so far",
    "reflex",
    "late",
    "least share",
    "p50 ms",
    "p99 ms",
    "searcher cores",
    "gateway cores",
    "gateway ms a move",
    "client cores",
    "others' cores",
    "stood still ms",
)


class Searcher(NamedTuple):
    """A searcher: the addresses of its searches and metrics, and its process id."""

    target: str
    metrics: str
    pid: int


@dataclass(frozen=True)
class Times:
    """Seconds of processor time and of searches so far, and the time on the monotonic clock."""

    searcher: float
    gateway: float
    client: float
    machine: float
    searches: float
    """Seconds of all searches, running or waiting: two at once count twice."""
    now: float

    def since(self, before: "Times") -> dict[str, float]:
        """Return the cores that each part has kept busy since `before`, and the searches at once.

        `others` are unrelated processes.
        """
        passed = self.now - before.now
        busy = {
            name: (getattr(self, name) - getattr(before, name)) / passed
            for name in ("searcher", "gateway", "client", "machine", "searches")
        }
        own = busy["searcher"] + busy["gateway"] + busy["client"]
        return busy | {"others": max(0.0, busy["machine"] - own)}


@dataclass(frozen=True)
class Round:
    """A measurement with a number of games at once, over `seconds`. `busy` is the result of `Times.since`."""

    at_once: int
    seconds: float
    moves: list[Move]
    busy: dict[str, float]
    stall: float

    def depth(self, kind: str) -> float:
        """Return the mean depth of the moves of one kind; a reflex has depth 0."""
        return fmean([move.depth for move in self.moves if move.kind == kind] or [math.nan])

    @property
    def sources(self) -> Counter[str]:
        """The number of moves by source."""
        return Counter(move.source for move in self.moves)

    @property
    def late(self) -> int:
        """The number of moves that exceeded the engine's timeout."""
        return sum(move.milliseconds >= TIMEOUT for move in self.moves)

    @property
    def least_share(self) -> float:
        """The least share of a game: its nodes divided by the mean of all games in the same positions."""
        by_position: dict[int, list[int]] = {}
        for move in self.moves:
            by_position.setdefault(move.position, []).append(move.nodes)
        found, expected = Counter[str](), Counter[str]()
        for move in self.moves:
            found[move.game] += move.nodes
            expected[move.game] += round(fmean(by_position[move.position]))
        return min(found[game] / max(expected[game], 1) for game in found)

    def row(self) -> list[str]:
        """Return the cells of the table."""
        p50, p99 = np.percentile([move.milliseconds for move in self.moves], (50, 99))
        pace = len(self.moves) / self.seconds
        values = (
            self.at_once,
            pace,
            *map(self.depth, KINDS),
            fmean(move.nodes for move in self.moves),
            self.busy["searches"],
            self.sources["search"],
            self.sources["best-so-far"],
            self.sources["reflex"],
            self.late,
            self.least_share,
            p50,
            p99,
            self.busy["searcher"],
            self.busy["gateway"],
            self.busy["gateway"] / pace * 1000,
            self.busy["client"],
            self.busy["others"],
            self.stall * 1000,
        )
        return [_formatted(name, value) for name, value in zip(COLUMNS, values, strict=True)]


@click.command(context_settings=CONTEXT)
@click.option("--games", default="1,2,4,8,16,32,64", help="Games at once in each round.")
@click.option("--seconds", type=click.FloatRange(1), default=25.0, help="Seconds of each round that count.")
@click.option("--watched", is_flag=True, help="Record the games, and watch them in the console.")
def main(games: str, seconds: float, watched: bool) -> None:
    """Play concurrent games on a searcher with one core and show depth, latency and fairness."""
    at_once = [int(number) for number in games.split(",")]
    compile_default()
    click.echo(_machine(), err=True)
    own, others = _divided()
    with _searcher(own) as searcher, _confined(others):
        rounds = list(_rounds(searcher, at_once, seconds, watched))
        click.echo(_strategy(searcher), err=True)
    click.echo(markdown(COLUMNS, (each.row() for each in rounds)))


def _rounds(searcher: Searcher, at_once: Iterable[int], seconds: float, watched: bool) -> Iterator[Round]:
    with tempfile.TemporaryDirectory() as folder:
        log, stalls = Path(folder) / "log.jsonl", StallWatch()
        console = f"127.0.0.1:{free_port()}" if watched else None
        settings = {"ADMIN": console, "OUTCOMES_URL": f"{folder}/outcomes.sqlite"} if console else {}
        with running_gateway(log, "--searcher", searcher.target, LOG_FORMAT="json", **settings) as url:
            for games in at_once:
                begin = _times(url, searcher)
                stalls.longest()
                answered = asyncio.run(play(url, games, SETTLING + seconds, f"of-{games}", console))
                end = _times(url, searcher)
                moves = [move for move in with_log(answered, log) if move.ended >= begin.now + SETTLING]
                counted = max(move.ended for move in moves) - begin.now - SETTLING
                yield Round(games, counted, moves, end.since(begin), stalls.longest())


def _divided() -> tuple[set[int], set[int]]:
    """Return the searcher's core and the cores for everything else; all share a single core."""
    every = sorted(os.sched_getaffinity(0))
    if len(every) == 1:
        click.echo("there is only one core, so all processes share it", err=True)
        return set(every), set(every)
    return set(every[:1]), set(every[1:])


@contextmanager
def _confined(cores: set[int]) -> Iterator[None]:
    """Confine this process, and the processes it starts in the block, to these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def _searcher(cores: set[int]) -> Iterator[Searcher]:
    """Run a searcher with metrics on its own cores; yield it."""
    target, metrics = (f"127.0.0.1:{free_port()}" for _ in range(2))
    command = [sys.executable, "-m", "searcher", "serve", "--listen", target, "--metrics", metrics]
    with _confined(cores):
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL)
    try:
        yield Searcher(target, f"http://{metrics}", process.pid)
    finally:
        process.terminate()
        process.wait(EXIT_WITHIN)


def _strategy(searcher: Searcher) -> str:
    """Return the strategy that the searcher has played, in Markdown."""
    played = samples(searcher.metrics, "searcher_searches_total")
    names = sorted({f"`{sample.labels['strategy']}`" for sample in played if sample.value})
    return f"`{DEFAULT}` ({' and '.join(names)})"


def _times(url: str, searcher: Searcher) -> Times:
    own = os.times()
    return Times(
        searcher=processor_time(searcher.pid),
        gateway=samples(url, "process_cpu_seconds_total")[0].value,
        client=own.user + own.system,
        # user, nice and system; the idle, waiting and stolen times follow.
        machine=sum(map(int, Path("/proc/stat").read_text().split()[1:4])) / os.sysconf("SC_CLK_TCK"),
        searches=samples(searcher.metrics, "searcher_demand_seconds_total")[0].value,
        now=monotonic(),
    )


def _machine() -> str:
    names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    name = names[0].partition(":")[2].strip() if names else "processor unknown"
    load = f"load average before the run {os.getloadavg()[0]:.2f}"
    return f"{time.strftime('%Y-%m-%d %H:%M')}, {name}, {os.cpu_count()} cores, {load}"


def _formatted(name: str, value: float) -> str:
    digits = (
        2
        if "cores" in name or "ms a move" in name or "share" in name
        else 1
        if "depth" in name or name == "moves/s"
        else 0
    )
    return f"{value:,.{digits}f}"


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.load")
