"""The two searches of a turn."""

from collections.abc import AsyncIterator

import grpc
import pytest

from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient
from gateway.blunders.searches import NoResultError, values_of
from gateway.blunders.turns import played_turns
from gateway.blunders.values import Valued
from gateway.replay.values import Ending
from tests.gateway import scripted_searcher
from tests.gateway.blunders.script import duel
from tests.gateway.scripted_searcher import Context, Script, ScriptedService

TURN = played_turns(duel(), 0)[0]
"""A turn in which the snake went up."""

UP, RIGHT = search_pb2.DIRECTION_UP, search_pb2.DIRECTION_RIGHT


async def _values(script: Script) -> tuple[tuple[Valued, Valued], ScriptedService]:
    service = ScriptedService(script)
    async with scripted_searcher.searcher(service) as target, SearcherClient(target) as client:
        return await values_of(client, TURN, "s/e", 10.0), service


async def _details(
    request: search_pb2.StreamSearchRequest, _context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """Answer with the last of the moves and then with the first one."""
    moves = request.limits.root_moves
    result = search_pb2.SearchResult(move=moves[-1], score=0.5, depth=7)
    best, other = result.root_moves.add(), result.root_moves.add()
    best.move, best.score, best.depth = moves[-1], 0.1234567, 6
    other.move, other.score, other.depth = moves[0], -1.0, 5
    if len(moves) == 1:
        best.outcome.kind, best.outcome.turns = search_pb2.OUTCOME_KIND_LOSS, 3
    result.elapsed.FromMicroseconds(1500)
    yield search_pb2.StreamSearchResponse(result=result, final=True)


async def test_the_played_move_is_searched_alone_and_the_others_together() -> None:
    """Each has the score, the depth, the time and the proven end of its search."""
    (played, best), service = await _values(_details)
    assert TURN.move == "up"
    first, second = (list(request.limits.root_moves) for request in service.requests)
    assert first == [UP] and UP not in second and len(second) == 3
    assert played == Valued("up", 0.123457, 6, 1.5, Ending("loss", 3))
    assert best == Valued("right", 0.123457, 6, 1.5, None) and second[-1] == RIGHT


async def test_a_result_without_moves_is_none() -> None:
    """Nothing is known of a move that the searcher does not value."""
    with pytest.raises(NoResultError, match="no move in time"):
        await _values(scripted_searcher.at_once)


async def test_the_last_failure_is_the_reason() -> None:
    """Those before it may have passed."""
    passing = [grpc.StatusCode.UNAVAILABLE] * 2
    codes = iter([*passing, grpc.StatusCode.INTERNAL])

    async def failing(
        _request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        for code in codes:
            await context.abort(code, f"it is {code.name.lower()}")
        yield search_pb2.StreamSearchResponse()

    with pytest.raises(NoResultError, match="INTERNAL: it is internal"):
        await _values(failing)
