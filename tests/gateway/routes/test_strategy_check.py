"""Warnings of strategies that searchers don't know."""

import asyncio

import grpc
import structlog

from gateway.routes import strategy_check
from gateway.searchers.plan import OWN, Plan
from gateway.searchers.pool import Searchers
from protos.battlesnake.search.v1 import search_pb2
from tests.gateway import scripted
from tests.gateway.scripted import ScriptedService

KNOWN = search_pb2.ListStrategiesResponse(
    searches=[search_pb2.SearchInfo(name="paranoid")],
    evaluators=[search_pb2.EvaluatorInfo(name="area", weights=[search_pb2.Weight(name="hunger")])],
    default_strategy=search_pb2.Strategy(search="paranoid", evaluator="area"),
)


class Listing(ScriptedService):
    """Lists what it knows, after it was asked once while it was still starting."""

    def __init__(self) -> None:
        super().__init__(scripted.at_once)
        self.asked = 0

    async def ListStrategies(
        self,
        request: search_pb2.ListStrategiesRequest,
        context: grpc.aio.ServicerContext[
            search_pb2.ListStrategiesRequest, search_pb2.ListStrategiesResponse
        ],
    ) -> search_pb2.ListStrategiesResponse:
        """Refuse, then answer."""
        self.asked += 1
        if self.asked == 1:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "starting")
        return KNOWN


async def _warnings(service: ScriptedService, *plans: Plan) -> list[tuple[str, str, str]]:
    async with scripted.searcher(service) as target, Searchers(target) as searchers:
        await searchers.open([OWN])
        with structlog.testing.capture_logs() as lines:
            await asyncio.wait_for(strategy_check.warn(searchers, plans), 20)
    return [(line["event"], line["name"], line["arm"]) for line in lines]


async def test_each_unknown_name_is_told() -> None:
    """Search, evaluator and weights that the searcher doesn't list are warned of, once it lists any."""
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


async def test_a_searcher_that_lists_nothing_is_not_asked_again() -> None:
    """Where the call isn't implemented there is nothing to warn of."""
    assert await _warnings(ScriptedService(scripted.at_once), Plan("one", "paranoyd/area")) == []
