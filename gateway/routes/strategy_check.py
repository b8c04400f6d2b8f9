"""Tells of strategies in the routes that their searchers don't list; only searchers know what they play."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator

import grpc
import grpc.aio
import structlog

from gateway.searchers.client import Searcher
from gateway.searchers.plan import Plan
from gateway.searchers.pool import Searchers
from protos.battlesnake.search.v1 import search_pb2

log = structlog.get_logger(__name__)

_NOT_YET = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
_PAUSE = 2.0


async def warn(searchers: Searchers, plans: Iterable[Plan]) -> None:
    """Log a warning for each name that a searcher doesn't list, as soon as that one answers."""
    by_target: dict[str, list[Plan]] = defaultdict(list)
    for plan in plans:
        for target in plan.searchers:
            by_target[target].append(plan)
    await asyncio.gather(*(_check(searchers[target], asked) for target, asked in by_target.items()))


async def _check(searcher: Searcher, plans: list[Plan]) -> None:
    listed = await _listed(searcher)
    if listed is None:
        return
    for plan in plans:
        for kind, name, valid in _unknown(plan, listed):
            log.warning(
                f"unknown {kind}",
                name=name,
                arm=plan.arm,
                searcher=searcher.target,
                valid=sorted(valid),
                effect="where the arm asks for it, its moves are reflexes",
            )


async def _listed(searcher: Searcher) -> search_pb2.ListStrategiesResponse | None:
    """What the searcher can play; None if it doesn't tell."""
    while True:
        try:
            return await searcher.strategies()
        except grpc.aio.AioRpcError as error:
            if error.code() not in _NOT_YET:
                return None
        await asyncio.sleep(_PAUSE)


def _unknown(
    plan: Plan, listed: search_pb2.ListStrategiesResponse
) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Each unknown name of a plan, what it should be the name of, and the valid ones."""
    default = listed.default_strategy
    search, _, evaluator = plan.strategy.partition("/")
    searches = {info.name for info in listed.searches}
    weights = {info.name: {weight.name for weight in info.weights} for info in listed.evaluators}
    judge = evaluator or default.evaluator
    if (search or default.search) not in searches:
        yield "search", search, searches
    if judge not in weights:
        yield "evaluator", judge, weights
    else:
        for name in plan.evaluator_weights.keys() - weights[judge]:
            yield "weight", name, weights[judge]
