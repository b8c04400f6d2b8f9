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
from benchmarks.output import markdown
from tests.support.processes import processor_time
from tests.support.services import (
    EXIT_WITHIN,
    ROOT,
    compile_default,
    free_port,
    running_gateway,
    samples,
)
from tests.support.stalls import StallWatch

SETTLING = 2.0
"""Seconds of games before a round, in which the searcher loads its code."""

COLUMNS = (
    "games a core",
    "moves/s",
    "depth duel",
    "depth four",
    "searches a core",
    "search",
    "best so far",
    "reflex",
    "late",
    "p50 ms",
    "p99 ms",
    "searcher cores",
    "gateway ms a move",
    "stood still ms",
)


class _Searcher(NamedTuple):
    """A searcher: the addresses of its searches and metrics, and its process id."""

    target: str
    metrics: str
    pid: int

    def used(self, gateway: str) -> tuple[float, float, float]:
        """Return the processor time of this searcher and of a gateway, and the seconds of all searches."""
        [of_gateway] = samples(gateway, "process_cpu_seconds_total")
        [searches] = samples(self.metrics, "searcher_demand_seconds_total")
        return processor_time(self.pid), of_gateway.value, searches.value


@dataclass(frozen=True)
class Round:
    """A measurement with a number of games at once, over `seconds`.

    The other figures are seconds of processor time, seconds of all searches (two at once count twice), and
    the longest stall of the machine.
    """

    at_once: int
    seconds: float
    moves: list[Move]
    searcher: float
    gateway: float
    searches: float
    stall: float

    def depth(self, kind: str) -> float:
        """Return the mean depth of the moves of one kind; a reflex has depth 0."""
        return fmean([move.depth for move in self.moves if move.kind == kind] or [math.nan])

    def row(self) -> list[str]:
        """Return the cells of the table."""
        p50, p99 = np.percentile([move.milliseconds for move in self.moves], (50, 99))
        sources = Counter(move.source for move in self.moves)
        late = sum(move.milliseconds >= TIMEOUT for move in self.moves)
        return [
            str(self.at_once),
            f"{len(self.moves) / self.seconds:.1f}",
            *(f"{self.depth(kind):.1f}" for kind in KINDS),
            f"{self.searches / self.seconds:.2f}",
            *(str(sources[name]) for name in ("search", "best-so-far", "reflex")),
            str(late),
            *(f"{milliseconds:.0f}" for milliseconds in (p50, p99)),
            f"{self.searcher / self.seconds:.2f}",
            f"{self.gateway * 1000 / len(self.moves):.2f}",
            f"{self.stall * 1000:.0f}",
        ]


@click.command(context_settings=CONTEXT)
@click.option("--games", default="1,2,4,8,16,32,64", help="Games at once in each round.")
@click.option("--seconds", type=click.FloatRange(1), default=25.0, help="Seconds of each round that count.")
def main(games: str, seconds: float) -> None:
    """Play concurrent games on a searcher with one core and show depth and latency."""
    at_once = [int(number) for number in games.split(",")]
    compile_default()
    own, others = _divided()
    with tempfile.TemporaryDirectory() as folder, _searcher(own) as searcher, _confined(others):
        rounds = list(_rounds(searcher, at_once, seconds, Path(folder)))
    click.echo(markdown(COLUMNS, (each.row() for each in rounds)))


def _rounds(searcher: _Searcher, at_once: Iterable[int], seconds: float, folder: Path) -> Iterator[Round]:
    log, stalls = folder / "log.jsonl", StallWatch()
    with running_gateway(log, "--searcher", searcher.target, LOG_FORMAT="json") as url:
        for games in at_once:
            asyncio.run(play(url, games, SETTLING, f"first-{games}"))
            before, began = searcher.used(url), monotonic()
            stalls.longest()
            answered = asyncio.run(play(url, games, seconds, f"of-{games}"))
            passed, used = monotonic() - began, searcher.used(url)
            own, of_gateway, searches = (now - then for now, then in zip(used, before, strict=True))
            moves = list(with_log(answered, log))
            yield Round(games, passed, moves, own, of_gateway, searches, stalls.longest())


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
def _searcher(cores: set[int]) -> Iterator[_Searcher]:
    """Run a searcher with metrics on its own cores; yield it."""
    target, metrics = (f"127.0.0.1:{free_port()}" for _ in range(2))
    command = [sys.executable, "-m", "searcher", "serve", "--listen", target, "--metrics", metrics]
    with _confined(cores):
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL)
    try:
        yield _Searcher(target, f"http://{metrics}", process.pid)
    finally:
        process.terminate()
        process.wait(EXIT_WITHIN)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.load")
