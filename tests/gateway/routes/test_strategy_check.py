"""Warnings about strategies that searchers don't list."""

import asyncio

import grpc
import structlog

from gateway.routes import strategy_check
from gateway.searchers.plan import OWN, Plan
from gateway.searchers.pool import SearcherPool
from protos.battlesnake.search.v1 import search_pb2
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService

KNOWN = search_pb2.ListStrategiesResponse(
    searches=[search_pb2.SearchInfo(name="paranoid")],
    evaluators=[search_pb2.EvaluatorInfo(name="area", weights=[search_pb2.Weight(name="hunger")])],
    default_strategy=search_pb2.Strategy(search="paranoid", evaluator="area"),
)


class Listing(ScriptedService):
    """A service that refuses its first call as if it were starting, then lists its strategies."""

    def __init__(self) -> None:
        super().__init__(scripted_searcher.at_once)
        self.calls = 0

    async def ListStrategies(
        self,
        request: search_pb2.ListStrategiesRequest,
        context: grpc.aio.ServicerContext[
            search_pb2.ListStrategiesRequest, search_pb2.ListStrategiesResponse
        ],
    ) -> search_pb2.ListStrategiesResponse:
        """Refuse, then answer."""
        self.calls += 1
        if self.calls == 1:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "starting")
        return KNOWN


async def _warnings(service: ScriptedService, *plans: Plan) -> list[tuple[str, str, str]]:
    async with scripted_searcher.searcher(service) as target, SearcherPool(target) as pool:
        await pool.open([OWN])
        with structlog.testing.capture_logs() as lines:
            await asyncio.wait_for(strategy_check.warn(pool, plans), 20)
    return [(line["event"], line["name"], line["arm"]) for line in lines]


async def test_each_unknown_name_is_warned_of() -> None:
    """There is a warning for each search, evaluator and weight that the searcher doesn't list."""
    warnings = await _warnings(
        Listing(),
        Plan("right", "paranoid/area", {"hunger": 0.5}),
        Plan("default", "", {"hunger": 0.5}),
        Plan("one", "paranoyd/area"),
        Plan("two", "paranoid/aria", {"hunger": 1}),
        Plan("three", "", {"thirst": 1}),
    )
    assert warnings == [
        ("unknown search", "paranoyd", "one"),
        ("unknown evaluator", "aria", "two"),
        ("unknown weight", "thirst", "three"),
    ]


async def test_a_searcher_that_lists_nothing_is_not_called_again() -> None:
    """There is no warning about a searcher that doesn't implement the call."""
    assert await _warnings(ScriptedService(scripted_searcher.at_once), Plan("one", "paranoyd/area")) == []
