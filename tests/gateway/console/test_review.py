"""Reviews of a recorded game over a real gRPC connection, by a searcher that follows a script."""

from collections.abc import AsyncIterator

import grpc
import msgspec
import pytest

from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient
from gateway.console.review import Budget, GameReview, NoResultError, Review, TurnReview, by_cause
from gateway.replay.values import Game
from tests.gateway import scripted_searcher
from tests.gateway.console.script import FATAL, duel, loser, scores
from tests.gateway.scripted_searcher import Context, Script, ScriptedService

BUDGET = Budget(factor=10, seconds=20, at_once=2)


async def _review(script: Script, game: Game, snake: int) -> tuple[Review, list[TurnReview], ScriptedService]:
    service, seen = ScriptedService(script), list[TurnReview]()
    async with scripted_searcher.searcher(service) as target, SearcherClient(target) as client:
        progress = GameReview(client, game, snake, BUDGET, progress=lambda review, _done: seen.append(review))
        return await progress.run(), seen, service


async def test_the_losing_turn_is_named() -> None:
    """The turn whose move lost the game is the losing turn, the only blunder, and the first that sees it."""
    game = duel()
    review, seen, _ = await _review(scores, game, loser(game))
    assert (review.result, review.lost_at, review.seen_at, review.seen_depth) == ("lost", FATAL, FATAL, 12)
    assert review.blunders == [FATAL] and review.died_at is not None
    assert {each.turn for each in seen} == {each.turn for each in review.turns}
    assert max(each.turn for each in review.turns) - seen[0].turn < BUDGET.at_once
    [summary] = by_cause([review])
    assert (summary.games, summary.turns_lost) == (1, review.died_at - FATAL)


async def test_the_winner_has_no_losing_turn() -> None:
    """A won game has blunders, but was not lost."""
    game = duel()
    review, _, _ = await _review(scores, game, 1 - loser(game))
    assert (review.result, review.lost_at, review.blunders) == ("won", None, [FATAL])
    assert by_cause([review]) == []


async def test_each_turn_gets_two_searches() -> None:
    """The played move is searched alone, and the three other ones together; both for the same strategy."""
    game = duel()
    review, seen, service = await _review(scores, game, loser(game))
    numbers = [len(request.limits.root_moves) for request in service.requests]
    assert numbers.count(1) == numbers.count(3) == len(seen)
    assert review.unsearched == []
    assert sum(each.limits.time.ToMicroseconds() for each in service.requests[:2]) / 1e6 < BUDGET.seconds


async def test_a_searcher_that_refuses_is_an_error() -> None:
    """The error has the searcher's reason."""

    async def refuses(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        if request.HasField("position"):
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no such strategy")
        yield search_pb2.StreamSearchResponse()

    game = duel()
    with pytest.raises(NoResultError, match="INVALID_ARGUMENT: no such strategy"):
        await _review(refuses, game, 0)


async def test_a_game_without_turns_has_no_losing_turn() -> None:
    """A game whose records are all lost is reviewed without a search."""
    game = duel()
    empty = msgspec.structs.replace(game, turns=[])
    review, seen, _ = await _review(scores, empty, loser(game))
    assert (review.turns, review.lost_at, seen) == ([], None, [])
