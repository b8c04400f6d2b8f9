"""A scripted searcher that lists strategies."""

from typing import Any

import grpc
import grpc.aio

from battlesnake_search.contract import search_pb2
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Script, ScriptedService


def listing(*evaluators: str) -> search_pb2.ListStrategiesResponse:
    """Return a list with the search paranoid and these evaluators; the first one is the default.

    Each evaluator has a weight `hunger`, from 0 to 1. `auto` chooses the last one.
    """
    hunger = search_pb2.Weight(name="hunger", default=0.5, minimum=0, maximum=1)
    return search_pb2.ListStrategiesResponse(
        searches=[search_pb2.SearchInfo(name="paranoid")],
        evaluators=[search_pb2.EvaluatorInfo(name=name, weights=[hunger]) for name in evaluators],
        default_strategy=search_pb2.Strategy(search="paranoid", evaluator=evaluators[0]),
        auto_strategies=[search_pb2.Strategy(search="paranoid", evaluator=evaluators[-1])],
    )


class ListingService(ScriptedService):
    """A service that lists `listed` after it has refused `refusals` calls. It searches by the script.

    `lists` counts the calls. `refusal` is the code of the refused ones.
    """

    def __init__(
        self, *evaluators: str, refusals: int = 0, script: Script = scripted_searcher.at_once
    ) -> None:
        super().__init__(script)
        self.listed = listing(*evaluators)
        self.lists = 0
        self.refusals = refusals
        self.refusal = grpc.StatusCode.UNAVAILABLE

    async def ListStrategies(
        self, request: search_pb2.ListStrategiesRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> search_pb2.ListStrategiesResponse:
        """Refuse, or list the strategies."""
        self.lists += 1
        if self.refusals:
            self.refusals -= 1
            await context.abort(self.refusal, "not now")
        return self.listed
