"""The AnalysisService: positions are evaluated and turns played at once, without a worker."""

from typing import Any

import grpc

from battlesnake_search.contract import analysis_pb2, analysis_pb2_grpc
from searcher.interface import StrategyProvider
from searcher.serving import analysis_messages
from searcher.serving.gate import Gate

Context = grpc.aio.ServicerContext[Any, Any]


class AnalysisService(analysis_pb2_grpc.AnalysisServiceServicer):
    """The two calls of the service. While the gate is closed, they get UNAVAILABLE.

    The calls raise RequestError, of which the guard of the port makes a status.
    """

    def __init__(self, strategies: StrategyProvider, gate: Gate) -> None:
        self._strategies = strategies
        self._gate = gate

    async def Evaluate(
        self, request: analysis_pb2.EvaluateRequest, context: Context
    ) -> analysis_pb2.EvaluateResponse:
        """Evaluate a position for each living snake."""
        self._gate.require_open()
        task = analysis_messages.task_of(request, self._strategies.offer)
        evaluations = self._strategies.evaluate(task.position, task.strategy)
        return analysis_messages.evaluation_message(task, evaluations)

    async def Advance(
        self, request: analysis_pb2.AdvanceRequest, context: Context
    ) -> analysis_pb2.AdvanceResponse:
        """Play one turn."""
        self._gate.require_open()
        played = self._strategies.advance(analysis_messages.turn_of(request))
        return analysis_messages.turn_message(request, played)
