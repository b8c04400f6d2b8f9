"""Warnings about strategies that the routes name and their searchers don't list."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator

import grpc
import grpc.aio
import structlog

from gateway.searchers.client import SearcherClient
from gateway.searchers.plan import Plan
from gateway.searchers.pool import SearcherPool
from protos.battlesnake.search.v1 import search_pb2

log = structlog.get_logger(__name__)

_RETRYABLE = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
_RETRY_PAUSE = 2.0
"""Seconds."""


async def warn(pool: SearcherPool, plans: Iterable[Plan]) -> None:
    """Log a warning for each name that a searcher doesn't list, as soon as that searcher answers."""
    by_target: dict[str, list[Plan]] = defaultdict(list)
    for plan in plans:
        for target in plan.searchers:
            by_target[target].append(plan)
    await asyncio.gather(*(_check(pool[target], planned) for target, planned in by_target.items()))


async def _check(searcher: SearcherClient, plans: list[Plan]) -> None:
    listed = await _list_strategies(searcher)
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
                effect="the arm answers with reflex moves where it uses this name",
            )


async def _list_strategies(searcher: SearcherClient) -> search_pb2.ListStrategiesResponse | None:
    """Return what the searcher can play, as soon as it answers; None if it refuses to list it."""
    while True:
        try:
            return await searcher.list_strategies()
        except grpc.aio.AioRpcError as error:
            if error.code() not in _RETRYABLE:
                return None
        await asyncio.sleep(_RETRY_PAUSE)


def _unknown(
    plan: Plan, listed: search_pb2.ListStrategiesResponse
) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield the kind of each unknown name of a plan, the name, and the valid names."""
    default = listed.default_strategy
    search, _, evaluator = plan.strategy.partition("/")
    searches = {info.name for info in listed.searches}
    weights = {info.name: {weight.name for weight in info.weights} for info in listed.evaluators}
    evaluator = evaluator or default.evaluator
    if (search or default.search) not in searches:
        yield "search", search, searches
    if evaluator not in weights:
        yield "evaluator", evaluator, weights
    else:
        for name in plan.evaluator_weights.keys() - weights[evaluator]:
            yield "weight", name, weights[evaluator]
