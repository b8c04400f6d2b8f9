"""The lateness of many timed searches by a real searcher, one at a time and several at once.

    python -m benchmarks.deadlines --searches 1000

The exit code is 1 if results overrun their time limits by too much, or use too little of them.
"""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, log
from random import Random
from typing import Any

import click
import grpc
import numpy as np

from battlesnake_search.channels import DIRECT
from battlesnake_search.children.restarting import embedded
from battlesnake_search.children.service import Service
from battlesnake_search.common.cli import CONTEXT
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract import search_pb2_grpc
from benchmarks.output import markdown
from searcher.engine.position import Position
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.tools.conformance import position_of, read_transitions
from tests.searcher.requests import message_of
from tests.support.searchers import until_serving
from tests.support.services import DEFAULT, READY_WITHIN, ROOT, compile_default
from tests.support.stalls import StallWatch

AT_ONCE, WORKERS = 8, 2
"""The concurrent searches of the second round, and the workers of the searcher."""

SHORTEST, LONGEST = 20, 400
"""The range of time limits in milliseconds. They are log-uniform: 20 to 40 is as likely as 200 to 400."""

MAX_OVERRUN = 5.0
"""The most milliseconds of overrun in 999 of 1000 results."""

MIN_USED = 0.85
"""The least share of its time limit that a search must use, in the median. A search that is cut back for
others uses less."""

COLUMNS = (
    "at once",
    "searches",
    "refused",
    "decided early",
    "overrun p50 ms",
    "p99 ms",
    "p99.9 ms",
    "max ms",
    "time used",
    "machine stalled ms",
)


@dataclass(frozen=True)
class TimedResult:
    """The result of one search; times are in milliseconds."""

    limit: int
    elapsed: float
    early: bool
    """Whether the search ended before its time limit, because it had nothing left to find."""


@dataclass(frozen=True)
class Round:
    """All searches at one level of concurrency. `stall` is in milliseconds."""

    at_once: int
    searches: int
    results: list[TimedResult]
    stall: float

    @cached_property
    def timed(self) -> list[TimedResult]:
        """The results of the searches that their time limit ended."""
        return [result for result in self.results if not result.early]

    @property
    def used(self) -> float:
        """The median share of the time limit that a search used, including the wait for a worker."""
        return float(np.median([result.elapsed / result.limit for result in self.timed]))

    @property
    def overruns(self) -> list[float]:
        """The median, the 99th and 99.9th percentile and the largest of the overruns, in milliseconds."""
        overruns = [result.elapsed - result.limit for result in self.timed]
        return [float(each) for each in np.percentile(overruns, (50, 99, 99.9, 100))]

    @property
    def is_good(self) -> bool:
        """Whether the round meets MIN_USED and MAX_OVERRUN."""
        return self.used >= MIN_USED and self.overruns[2] < MAX_OVERRUN

    def row(self) -> list[str]:
        """Return the cells of the table."""
        refused, early = self.searches - len(self.results), len(self.results) - len(self.timed)
        counts = map(str, (self.at_once, self.searches, refused, early))
        return [*counts, *(f"{late:.2f}" for late in self.overruns), f"{self.used:.1%}", f"{self.stall:.0f}"]


@click.command(context_settings=CONTEXT)
@click.option(
    "--searches", type=click.IntRange(1), default=10_000, help="Searches in each of the two rounds."
)
def main(searches: int) -> None:
    """Search random positions with random time limits, one at a time and several at once."""
    compile_default()
    rounds = asyncio.run(_rounds(searches))
    click.echo(markdown(COLUMNS, (each.row() for each in rounds)))
    sys.exit(not all(each.is_good for each in rounds))


async def _rounds(searches: int) -> list[Round]:
    serve = ("-m", "searcher", "serve", "--only", DEFAULT, "--workers", str(WORKERS), "--listen")
    positions, stalls = _positions(), StallWatch()
    async with (
        embedded(Service((sys.executable, *serve))) as target,
        grpc.aio.insecure_channel(target, options=[DIRECT]) as channel,
    ):
        await asyncio.wait_for(until_serving(target), READY_WITHIN)
        search = search_pb2_grpc.SearchServiceStub(channel).Search
        requests = list(_requests(positions, searches))
        return [await _round(search, requests, many, stalls) for many in (1, AT_ONCE)]


def _positions() -> list[pb.Position]:
    """Return the positions of the bench and of the recorded turns that have more than one snake."""
    bench: list[Position] = [position_in(entry) for entry in bench_positions()]
    path = ROOT / "tests" / "fixtures" / "transitions.jsonl.gz"
    recorded = [position_of(transition) for transition in read_transitions(path)]
    return [message_of(position) for position in [*bench, *recorded] if len(position.snakes) > 1]


def _requests(positions: Sequence[pb.Position], searches: int) -> Iterator[pb.SearchRequest]:
    random = Random(1)
    for _ in range(searches):
        request = pb.SearchRequest(position=random.choice(positions))
        request.limits.time.FromMilliseconds(round(exp(random.uniform(log(SHORTEST), log(LONGEST)))))
        yield request


async def _round(search: Any, requests: list[pb.SearchRequest], at_once: int, stalls: StallWatch) -> Round:
    results: list[TimedResult] = []
    queue = iter(requests)
    stalls.longest()

    async def search_until_empty() -> None:
        # All tasks take from one queue, so the number of searches in flight is constant.
        for request in queue:
            if (result := await _search_one(search, request)) is not None:
                results.append(result)

    await asyncio.gather(*(search_until_empty() for _ in range(at_once)))
    return Round(at_once, len(requests), results, stalls.longest() * 1000)


async def _search_one(search: Any, request: pb.SearchRequest) -> TimedResult | None:
    """Run one search; return None if the searcher refused it for lack of time."""
    try:
        result = (await search(request)).result
    except grpc.aio.AioRpcError as error:
        if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
            raise
        return None
    limit, elapsed = request.limits.time.ToMilliseconds(), result.elapsed.ToNanoseconds() / 1e6
    return TimedResult(limit, elapsed, result.stop_reason != pb.STOP_REASON_DEADLINE)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.deadlines")
