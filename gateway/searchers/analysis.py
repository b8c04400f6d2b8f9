"""Calls of a searcher for people who study a position: they show each depth, and errors as they are."""

from collections.abc import AsyncGenerator, Mapping

from gateway.bodies import Turn
from gateway.searchers import translate
from gateway.searchers.client import SearcherClient
from gateway.searchers.plan import Plan
from protos.battlesnake.search.v1 import analysis_pb2, search_pb2

_SLACK = 2.0
"""Seconds from the end of a search's time to the deadline of its call."""

_TIMEOUT = 5.0
"""Seconds for a call without a search."""


async def depths(
    client: SearcherClient, turn: Turn, plan: Plan, seconds: float
) -> AsyncGenerator[search_pb2.StreamSearchResponse]:
    """Yield the results of a search as its depths complete; closing the iterator ends the search.

    Raises grpc.aio.AioRpcError.
    """
    request = translate.search_request(turn, plan)
    request.limits.time.FromMicroseconds(int(seconds * 1e6))
    call = client.search_stub.StreamSearch(request, timeout=seconds + _SLACK)
    try:
        async for response in call:
            yield response
    finally:
        call.cancel()


async def evaluate(client: SearcherClient, turn: Turn, plan: Plan) -> analysis_pb2.EvaluateResponse:
    """Return what an evaluator makes of a position. Raises grpc.aio.AioRpcError."""
    search = translate.search_request(turn, plan)
    request = analysis_pb2.EvaluateRequest(position=search.position, strategy=search.strategy)
    answer: analysis_pb2.EvaluateResponse = await client.analysis_stub.Evaluate(request, timeout=_TIMEOUT)
    return answer


async def advance(
    client: SearcherClient, turn: Turn, moves: Mapping[str, str]
) -> analysis_pb2.AdvanceResponse:
    """Return the position after a turn. Raises grpc.aio.AioRpcError."""
    position = translate.search_request(turn, Plan()).position
    directions = dict(zip(moves, translate.directions(moves.values()), strict=True))
    request = analysis_pb2.AdvanceRequest(position=position, moves=directions)
    answer: analysis_pb2.AdvanceResponse = await client.analysis_stub.Advance(request, timeout=_TIMEOUT)
    return answer
