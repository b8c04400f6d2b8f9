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
    CHECKED,
    LONG,
    LONGEST,
    MOST,
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
BUDGET = Budget(seconds=20, at_once=1)


class Reviewed(NamedTuple):
    """A review, its reported turns in order with their progress, and the searches."""

    review: Review
    turns: list[int]
    shares: list[float]
    requests: list[search_pb2.StreamSearchRequest]

    @property
    def nodes(self) -> list[tuple[int, int]]:
        """The turn and the limit of nodes of each second search."""
        return [(request.position.turn, request.limits.nodes) for request in self.requests[::2]]


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


SWEPT = [(turn, MOST) for turn in TURNS[::-1]]
"""The searches of all turns of a short game."""


async def test_a_won_game_has_long_searches_of_the_moves_that_cost_most() -> None:
    """Turns without an answer are searched before them."""
    found = await _reviewed(_costing({1, 3}), snake=1 - LOSER)
    turns = [turn.number for turn in played_turns(GAME, 1 - LOSER)]
    costly = sorted(turns, key=lambda turn: (-_cost(turn), turn))[:CHECKED]
    checked = [3, 1, *(turn for turn in costly if turn not in (1, 3))]
    assert found.turns == [*(turn for turn in turns[::-1] if turn not in (1, 3)), *checked]
    long = {request.position.turn for request in found.requests if request.limits.nodes == LONG}
    assert long == set(checked)


async def test_the_last_escape_is_searched_longest() -> None:
    """All turns are searched briefly, the last one first, and the losing turn is searched twice more."""
    found = await _reviewed()
    assert found.nodes == [*SWEPT, (FATAL, LONG), (FATAL, LONGEST)]


async def test_a_long_search_may_refute_an_escape() -> None:
    """Then the game was lost earlier."""
    refuted = {FATAL + 2: LONGEST, FATAL + 1: LONG}

    async def script(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        turn = request.position.turn
        if len(request.limits.root_moves) > 1 and request.limits.nodes < refuted.get(turn, 0):
            request.position.turn = 0
        async for response in scores(request, context):
            yield response

    found = await _reviewed(script)
    assert (found.review.lost_at, found.review.seen_at) == (FATAL, FATAL)
    searches = [(FATAL + 2, LONG), (FATAL + 2, LONGEST), (FATAL + 1, LONG), (FATAL, LONG), (FATAL, LONGEST)]
    assert len(found.requests) == 2 * (len(SWEPT) + len(searches))


async def test_progress_rises_to_the_end() -> None:
    """It starts above 0, and never reaches 1."""
    shares = (await _reviewed()).shares
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.5 < shares[-1] < 1


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


@pytest.mark.parametrize(("strategy", "searched"), [(None, ""), ("maxn/area", "maxn")])
async def test_the_strategy_is_the_played_one_unless_another_is_named(
    strategy: str | None, searched: str
) -> None:
    """A file of the engine names no strategy, so the searcher's default is used."""
    found = await _reviewed(strategy=strategy)
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

    review = (await _reviewed(refuses_others, Budget(60.0, 1))).review
    assert [turn.turn for turn in review.turns] == TURNS[-1:]
    assert review.unsearched == TURNS[:-1]
    assert 0 < review.seconds < 60


async def test_a_review_without_time_says_so() -> None:
    """Turns that were not searched by the end of the time are named."""

    async def slow(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        await asyncio.sleep(0.1)
        async for response in scores(request, context):
            yield response

    review = (await _reviewed(slow, Budget(0.5, 1))).review
    assert review.turns and review.unsearched
    assert len(review.turns) + len(review.unsearched) == len(TURNS)
