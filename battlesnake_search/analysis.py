"""Calls of a searcher for people who study a position: they show each depth, and errors as they are."""

from collections.abc import AsyncGenerator

from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.searcher_client import SearcherClient

_SLACK = 2.0
"""Seconds from the end of a search's time to the deadline of its call."""

_TIMEOUT = 5.0
"""Seconds for a call without a search."""


async def depths(
    client: SearcherClient, request: search_pb2.StreamSearchRequest, seconds: float
) -> AsyncGenerator[search_pb2.StreamSearchResponse]:
    """Yield the results of a search as its depths complete; closing the iterator ends the search.

    Set the request's time limit. Raises grpc.aio.AioRpcError.
    """
    request.limits.time.FromMicroseconds(int(seconds * 1e6))
    with client.connected() as connection:
        call = connection.searches.StreamSearch(request, timeout=seconds + _SLACK, metadata=client.metadata)
        try:
            async for response in call:
                yield response
        finally:
            call.cancel()


async def evaluate(
    client: SearcherClient, request: analysis_pb2.EvaluateRequest
) -> analysis_pb2.EvaluateResponse:
    """Return what an evaluator makes of a position. Raises grpc.aio.AioRpcError."""
    with client.connected() as connection:
        answer: analysis_pb2.EvaluateResponse = await connection.analyses.Evaluate(
            request, timeout=_TIMEOUT, metadata=client.metadata
        )
    return answer


async def advance(
    client: SearcherClient, request: analysis_pb2.AdvanceRequest
) -> analysis_pb2.AdvanceResponse:
    """Return the position after a turn. Raises grpc.aio.AioRpcError."""
    with client.connected() as connection:
        answer: analysis_pb2.AdvanceResponse = await connection.analyses.Advance(
            request, timeout=_TIMEOUT, metadata=client.metadata
        )
    return answer
