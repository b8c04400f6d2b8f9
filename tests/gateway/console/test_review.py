"""Reviews of a recorded game over a real gRPC connection, by a searcher that follows a script."""

import asyncio
from collections.abc import AsyncIterator, Collection
from typing import NamedTuple

import grpc
import msgspec
import pytest

from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient
from gateway.console.review import (
    SWEEP_SHARE,
    Budget,
    GameReview,
    NoResultError,
    Review,
    TurnReview,
    by_cause,
    played_turns,
)
from gateway.replay.values import Death, Game, Placed, Result, Turn
from tests.gateway import scripted_searcher
from tests.gateway.console.script import FATAL, duel, loser, scores
from tests.gateway.scripted_searcher import Context, Script, ScriptedService

GAME = duel()
LOSER = loser(GAME)
TURNS = [turn.number for turn in played_turns(GAME, LOSER)]
BUDGET = Budget(factor=10, seconds=20, at_once=2)
AMPLE = Budget(factor=1e6, seconds=20_000, at_once=1)


class Reviewed(NamedTuple):
    """A review, its reported turns in order with their progress, and the searches."""

    review: Review
    turns: list[int]
    shares: list[float]
    requests: list[search_pb2.StreamSearchRequest]

    @property
    def seconds(self) -> list[float]:
        """The time of each search."""
        return [request.limits.time.ToMicroseconds() / 1e6 for request in self.requests]


async def _reviewed(
    script: Script = scores,
    budget: Budget = BUDGET,
    game: Game = GAME,
    snake: int = LOSER,
    strategy: str | None = None,
) -> Reviewed:
    service, turns, shares = ScriptedService(script), list[int](), list[float]()

    def progress(review: TurnReview, share: float) -> None:
        turns.append(review.turn)
        shares.append(share)

    async with scripted_searcher.searcher(service) as target, SearcherClient(target) as client:
        review = await GameReview(client, game, snake, budget, strategy, progress).run()
    return Reviewed(review, turns, shares, service.requests)


async def test_the_losing_turn_is_named() -> None:
    """The turn whose move lost the game is the losing turn, the only blunder, and the first that sees it."""
    review, turns, *_ = await _reviewed()
    assert (review.result, review.lost_at, review.seen_at, review.seen_depth) == ("lost", FATAL, FATAL, 12)
    assert review.blunders == [FATAL] and review.died_at is not None
    assert set(turns) == {each.turn for each in review.turns}
    assert max(turns) - turns[0] < BUDGET.at_once
    [summary] = by_cause([review])
    assert (summary.games, summary.turns_lost) == (1, review.died_at - FATAL)


async def test_the_winner_has_no_losing_turn() -> None:
    """A won game has blunders, but was not lost."""
    review = (await _reviewed(snake=1 - LOSER)).review
    assert (review.result, review.lost_at, review.blunders) == ("won", None, [FATAL])
    assert by_cause([review]) == []


async def test_each_turn_gets_two_searches() -> None:
    """The played move is searched alone, and the three other ones together."""
    found = await _reviewed()
    numbers = [len(request.limits.root_moves) for request in found.requests]
    assert numbers.count(1) == numbers.count(3) == len(found.turns)
    assert found.review.unsearched == []
    assert sum(found.seconds[:2]) < BUDGET.seconds


async def test_a_searcher_that_refuses_is_an_error() -> None:
    """The error has the searcher's reason."""

    async def refuses(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        if request.HasField("position"):
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no such strategy")
        yield search_pb2.StreamSearchResponse()

    with pytest.raises(NoResultError, match="INVALID_ARGUMENT: no such strategy"):
        await _reviewed(refuses, snake=0)


async def test_a_game_without_turns_has_no_losing_turn() -> None:
    """A game whose records are all lost is reviewed without a search."""
    review, turns, *_ = await _reviewed(game=msgspec.structs.replace(GAME, turns=[]))
    assert (review.turns, review.lost_at, turns) == ([], None, [])


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
    turns = (await _reviewed(_costing({1, 3}), AMPLE)).turns
    sweep = [turn for turn in newest_first if turn not in (1, 3)]
    costly = sorted((turn for turn in newest_first[1:] if turn not in (1, 3)), key=_cost, reverse=True)
    assert turns == [*sweep, 3, 1, newest_first[0], *costly]


async def test_the_losing_turn_is_searched_again_before_all_others() -> None:
    """After it, every move was lost."""
    turns = (await _reviewed(budget=AMPLE)).turns
    assert turns[: len(TURNS)] == TURNS[::-1]
    assert turns[len(TURNS)] == FATAL
    assert sorted(turns[len(TURNS) :]) == TURNS


async def test_progress_ends_with_the_whole() -> None:
    """A searcher that answers too late takes more than the time that there was."""

    async def late(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        await asyncio.sleep(0.2)
        async for response in scores(request, context):
            yield response

    assert (await _reviewed(late, Budget(factor=1e6, seconds=0.3, at_once=1))).shares == [1.0]


def _ended(result: Result | None, snakes: int = 2, dies: bool = False) -> Game:
    """Return a game of one turn, in which no move is known; the first snake may be dead by then."""
    others = [Placed([(3, 3)], 90)] * (snakes - 1)
    mine = None if dies else Placed([(5, 5)], 90)
    deaths = [Death(1, "wall-collision")] * (snakes - 1) + [Death(0, "hazard")] * dies
    turn = Turn(7, [], [], [mine, *others], deaths, [None] * snakes)
    return msgspec.structs.replace(GAME, turns=[turn], snakes=GAME.snakes[:snakes], result=result)


@pytest.mark.parametrize(
    ("game", "result"),
    [
        (_ended(Result(0, 7)), "won"),
        (_ended(Result(1, 7), dies=True), "lost"),
        (_ended(Result(None, 7), dies=True), "draw"),
        (_ended(Result(None, 7), snakes=1, dies=True), "lost"),
        (_ended(Result(None, 7), snakes=1), "draw"),
        (_ended(None, dies=True), "lost"),
        (_ended(None), "unknown"),
    ],
)
async def test_the_result_is_the_snakes_own(game: Game, result: str) -> None:
    """A snake that plays alone loses by dying; a game that was broken off is lost for the dead only."""
    review = (await _reviewed(budget=Budget(), game=game, snake=0)).review
    assert review.result == result and review.lost_at is None
    is_dead = game.turns[0].snakes[0] is None
    assert (review.died_at, review.cause) == ((7, "hazard") if is_dead else (None, None))


async def test_a_turn_gets_a_multiple_of_its_own_time() -> None:
    """A file does not say how long moves took: they are taken for 80 % of the game's timeout."""
    found = await _reviewed(budget=Budget(factor=50_000, seconds=1e9, at_once=3))
    full = 50_000 * 0.8 * GAME.timeout_ms / 1000
    assert all(full - 5 < seconds <= full for seconds in found.seconds)
    assert found.review.unsearched == [] and 0 <= min(found.shares) <= max(found.shares) < 0.01


async def test_a_first_search_of_all_turns_takes_a_share_of_the_time() -> None:
    """The share is divided by the turns, two searches each, of which some run next to each other."""
    found = await _reviewed(budget=Budget(factor=1e6, seconds=20_000, at_once=2))
    searches = 2 * len(TURNS)
    share = SWEEP_SHARE * 20_000 * 2 / searches
    assert all(0.75 * share < seconds <= share for seconds in found.seconds[:searches])
    assert max(found.seconds[searches:]) > 2 * share


async def test_each_turn_has_its_full_time_once() -> None:
    """With time for all of them, every turn is searched briefly and at length: four searches in all."""
    found = await _reviewed(budget=Budget(factor=1e6, seconds=20_000))
    assert len(found.requests) == 4 * len(TURNS) and len(found.shares) == 2 * len(TURNS)
    # No search takes more than half of the time that is left, as a turn has two of them.
    assert 9_500 < max(found.seconds) <= 10_000


@pytest.mark.parametrize(("strategy", "searched"), [(None, ""), ("maxn/area", "maxn")])
async def test_the_strategy_is_the_played_one_unless_another_is_named(
    strategy: str | None, searched: str
) -> None:
    """A file of the engine names no strategy, so the searcher's default is used."""
    found = await _reviewed(budget=Budget(factor=1, seconds=100), strategy=strategy)
    assert {request.strategy.search for request in found.requests} == {searched}


async def test_turns_without_an_answer_are_named() -> None:
    """A searcher that refuses all turns but one leaves the others unsearched, and the review has that one."""

    async def refuses_others(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        if request.position.turn < TURNS[-1]:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "another turn")
        async for response in scores(request, context):
            yield response

    review = (await _reviewed(refuses_others, Budget(10, 60.0, 1))).review
    assert [turn.turn for turn in review.turns] == TURNS[-1:]
    assert review.unsearched == TURNS[:-1]
    assert 0 < review.seconds < 60
