"""Which turns of a review get their long searches first, and how its progress is told."""

import asyncio
from collections.abc import AsyncIterator, Collection

import grpc

from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient
from gateway.console.review import Budget, GameReview, TurnReview, played_turns
from tests.gateway import scripted_searcher
from tests.gateway.console.script import FATAL, duel, loser, scores
from tests.gateway.scripted_searcher import Context, Script, ScriptedService

GAME = duel()
SNAKE = loser(GAME)
TURNS = [turn.number for turn in played_turns(GAME, SNAKE)]


async def _reviewed(script: Script, budget: Budget) -> tuple[list[int], list[float]]:
    """Return the turns in the order in which their reviews were told, and the progress then."""
    told: list[tuple[int, float]] = []

    def progress(review: TurnReview, share: float) -> None:
        told.append((review.turn, share))

    async with (
        scripted_searcher.searcher(ScriptedService(script)) as target,
        SearcherClient(target) as client,
    ):
        await GameReview(client, GAME, SNAKE, budget, progress=progress).run()
    return [turn for turn, _ in told], [share for _, share in told]


def _costing(failing: Collection[int]) -> Script:
    """Return a script by which moves cost more or less, and the first searches of some turns fail."""
    left = set(failing)

    async def script(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        moves, turn = request.limits.root_moves, request.position.turn
        if turn in left:
            left.remove(turn)
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "not now")
        root = search_pb2.RootMove(move=moves[0], score=-_cost(turn) if len(moves) == 1 else 0.0, depth=9)
        result = search_pb2.SearchResult(move=moves[0], score=root.score, depth=9, root_moves=[root])
        yield search_pb2.StreamSearchResponse(result=result, final=True)

    return script


def _cost(turn: int) -> float:
    return turn * 5 % 7 / 10


async def test_turns_without_an_answer_come_first_and_then_those_that_cost_most() -> None:
    """Between them is the last turn in which another move was not lost, as far as is known."""
    newest_first = TURNS[::-1]
    told, _ = await _reviewed(_costing({1, 3}), Budget(factor=1e6, seconds=20_000, at_once=1))
    sweep = [turn for turn in newest_first if turn not in (1, 3)]
    costly = sorted((turn for turn in newest_first[1:] if turn not in (1, 3)), key=_cost, reverse=True)
    assert told == [*sweep, 3, 1, newest_first[0], *costly]


async def test_the_losing_turn_is_searched_again_before_all_others() -> None:
    """After it everything was lost, whatever was played."""
    told, _ = await _reviewed(scores, Budget(factor=1e6, seconds=20_000, at_once=1))
    newest_first = TURNS[::-1]
    assert told[: len(TURNS)] == newest_first
    assert told[len(TURNS)] == FATAL
    assert sorted(told[len(TURNS) :]) == TURNS


async def test_progress_ends_with_the_whole() -> None:
    """A searcher that answers too late takes more than the time that there was."""

    async def late(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        await asyncio.sleep(0.2)
        async for response in scores(request, context):
            yield response

    _, shares = await _reviewed(late, Budget(factor=1e6, seconds=0.3, at_once=1))
    assert shares == [1.0]
