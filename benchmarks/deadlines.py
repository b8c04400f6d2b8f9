"""Many timed searches by a real searcher, one after another and several at once: by how much they are late.

    python -m benchmarks.deadlines --searches 1000

Ends with exit code 1 when answers overrun their time by too much, or leave too much of it.
"""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from random import Random
from time import monotonic
from typing import Any

import click
import grpc
import numpy as np
from grpc_health.v1 import health_pb2, health_pb2_grpc
from rich.console import Console
from rich.table import Table

from benchmarks.steal import stolen
from gateway.searchers.embedded import embedded
from protos.battlesnake.search.v1 import search_pb2 as pb
from protos.battlesnake.search.v1 import search_pb2_grpc
from searcher.bench_positions import bench_positions
from searcher.engine.position import Position
from searcher.move_body import position_in
from searcher.tools.conformance import position_of, read_transitions
from tests.searcher.requests import message_of
from tests.support.services import DEFAULT, READY_WITHIN, ROOT, compile_default
from tests.support.stalls import StallWatch

SHORTEST, LONGEST = 20, 400
"""Milliseconds that a search may be given; as many are given between 20 and 40 as between 200 and 400."""

MOST_OVERRUN = 5.0
"""Milliseconds that 999 of 1000 answers have to stay within."""

LEAST_USED = 0.95
"""The share of its time that a search has to use, in the median."""

COLUMNS = (
    "at once",
    "searches",
    "refused",
    "decided early",
    "overrun p50 ms",
    "p99 ms",
    "p99.9 ms",
    "most ms",
    "core stolen",
    "p99.9 ms of others",
    "time used",
    "machine stood still ms",
    "minutes",
)


@dataclass(frozen=True)
class Answer:
    """Of one search, in milliseconds."""

    limit: int
    elapsed: float
    early: bool
    """It ended because there was nothing left to find out."""
    robbed: bool
    """A hypervisor took a core from it, or from what was to answer."""

    @property
    def overrun(self) -> float:
        """By how much it was later than its limit; below 0 it was sooner."""
        return self.elapsed - self.limit


@dataclass(frozen=True)
class Round:
    """All searches with so many at once. `stall` and `minutes` are of the whole round."""

    at_once: int
    searches: int
    answers: list[Answer]
    stall: float
    minutes: float

    @property
    def timed(self) -> list[Answer]:
        """Those that only time ended."""
        return [answer for answer in self.answers if not answer.early]

    @property
    def overruns(self) -> list[float]:
        """Of all that only time ended."""
        return [answer.overrun for answer in self.timed]

    @property
    def undisturbed(self) -> list[float]:
        """The overruns of those that no core was taken from."""
        return [answer.overrun for answer in self.timed if not answer.robbed]

    @property
    def robbed(self) -> float:
        """The share of those that a core was taken from."""
        return 1 - len(self.undisturbed) / len(self.timed)

    @property
    def used(self) -> float:
        """The median share of its time that a search used, a wait for a worker included."""
        return float(np.median([answer.elapsed / answer.limit for answer in self.timed]))

    @property
    def is_good(self) -> bool:
        """Whether it kept to what is demanded."""
        return self.used >= LEAST_USED and float(np.percentile(self.overruns, 99.9)) < MOST_OVERRUN


@click.command(context_settings={"show_default": True})
@click.option("--searches", type=click.IntRange(1), default=10_000, help="In each of the two rounds.")
@click.option("--at-once", type=click.IntRange(2), default=8, help="Searches at once in the second round.")
@click.option("--workers", type=click.IntRange(1), default=2, help="Workers of the searcher.")
@click.option("--seed", default=1, help="Of the positions and the times.")
def main(searches: int, at_once: int, workers: int, seed: int) -> None:
    """Search random positions for random times, alone and several at once."""
    mean = (LONGEST - SHORTEST) / log(LONGEST / SHORTEST) / 60_000
    alone, together = searches * mean, searches * mean / at_once
    click.echo(f"about {alone:.1f} minutes alone and {together:.1f} with {at_once} at once", err=True)
    compile_default()
    rounds = asyncio.run(_rounds(searches, (1, at_once), workers, seed))
    Console(width=150).print(_table(rounds))
    sys.exit(not all(each.is_good for each in rounds))


async def _rounds(searches: int, at_once: Sequence[int], workers: int, seed: int) -> list[Round]:
    serve = ("-m", "searcher", "serve", "--only", DEFAULT, "--workers", str(workers), "--listen")
    positions, stalls = _positions(), StallWatch()
    async with embedded((sys.executable, *serve)) as target, grpc.aio.insecure_channel(target) as channel:
        await _until_serving(channel)
        search = search_pb2_grpc.SearchServiceStub(channel).Search
        return [
            await _round(search, list(_requests(positions, searches, seed)), many, stalls) for many in at_once
        ]


def _positions() -> list[pb.Position]:
    """Those of the benchmark, and of recorded turns with more than one snake."""
    bench: list[Position] = [position_in(entry) for entry in bench_positions()]
    path = ROOT / "tests" / "fixtures" / "transitions.jsonl.gz"
    recorded = [position_of(transition) for transition in read_transitions(path)]
    return [message_of(position) for position in [*bench, *recorded] if len(position.snakes) > 1]


def _requests(positions: Sequence[pb.Position], searches: int, seed: int) -> Iterator[pb.SearchRequest]:
    random = Random(seed)
    for _ in range(searches):
        request = pb.SearchRequest(position=random.choice(positions))
        request.limits.time.FromMilliseconds(round(exp(random.uniform(log(SHORTEST), log(LONGEST)))))
        yield request


async def _until_serving(channel: grpc.aio.Channel) -> None:
    health = health_pb2_grpc.HealthStub(channel)
    async with asyncio.timeout(READY_WITHIN):
        while True:
            answer = await health.Check(health_pb2.HealthCheckRequest(), wait_for_ready=True)
            if answer.status == health_pb2.HealthCheckResponse.SERVING:
                return
            await asyncio.sleep(0.1)


async def _round(search: Any, requests: list[pb.SearchRequest], at_once: int, stalls: StallWatch) -> Round:
    answers: list[Answer] = []
    queue, start = iter(requests), monotonic()
    stalls.longest()

    async def ask_in_turn() -> None:
        # All take from one queue, so that always as many are under way.
        for request in queue:
            if (answer := await _ask(search, request)) is not None:
                answers.append(answer)

    await asyncio.gather(*(ask_in_turn() for _ in range(at_once)))
    return Round(at_once, len(requests), answers, stalls.longest() * 1000, (monotonic() - start) / 60)


async def _ask(search: Any, request: pb.SearchRequest) -> Answer | None:
    """The searcher's answer; None if it refused the search for want of time."""
    before = stolen()
    try:
        result = (await search(request)).result
    except grpc.aio.AioRpcError as error:
        if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
            raise
        return None
    limit, elapsed = request.limits.time.ToMilliseconds(), result.elapsed.ToNanoseconds() / 1e6
    return Answer(limit, elapsed, result.stop_reason != pb.STOP_REASON_DEADLINE, stolen() > before)


def _table(rounds: Sequence[Round]) -> Table:
    table = Table(*COLUMNS)
    for each in rounds:
        counts = each.searches, each.searches - len(each.answers), sum(a.early for a in each.answers)
        overruns = (f"{late:.2f}" for late in np.percentile(each.overruns, (50, 99, 99.9, 100)))
        robbed = f"{each.robbed:.1%}", f"{np.percentile(each.undisturbed or [np.nan], 99.9):.2f}"
        rest = f"{each.used:.1%}", f"{each.stall:.0f}", f"{each.minutes:.1f}"
        table.add_row(str(each.at_once), *map(str, counts), *overruns, *robbed, *rest)
    return table


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.deadlines")
