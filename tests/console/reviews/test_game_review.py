"""Reviews of a recorded game over a real gRPC connection, by a searcher that follows a script."""

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple

import grpc
import msgspec
import pytest

from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.searcher_client import SearcherClient
from console.reviews.game_review import (
    AHEAD,
    LONG,
    MOST,
    PROOF,
    STEPS,
    Budget,
    GameReview,
)
from console.reviews.review import Review, TurnReview, by_cause, played_turns
from console.store.values import Death, Decision, Game, Placed, Result, Turn
from tests.console.web.script import FATAL, duel, loser, scores, valuing
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import GameContext, GameScript, ScriptedGames, ScriptedService, at_once

GAME = duel()
LOSER = loser(GAME)
PLAYED = {turn.number: turn.move for turn in played_turns(GAME, LOSER)}
TURNS = list(PLAYED)
BUDGET = Budget(seconds=20)


class Reviewed(NamedTuple):
    """A review, its reported turns in order with their progress, and the calls."""

    review: Review
    turns: list[int]
    shares: list[float]
    requests: list[analysis_pb2.AnalyzeGameRequest]

    @property
    def nodes(self) -> list[tuple[int, int]]:
        """The turn and the limit of nodes of each search."""
        return [
            (each.position.turn, request.limits.nodes)
            for request in self.requests
            for each in request.positions
        ]


async def _reviewed(
    script: GameScript = scores,
    budget: Budget = BUDGET,
    game: Game = GAME,
    snake: int = LOSER,
    strategy: str | None = None,
) -> Reviewed:
    service, games, turns, shares = (
        ScriptedService(at_once),
        ScriptedGames(script),
        list[int](),
        list[float](),
    )

    def progress(review: TurnReview, share: float) -> None:
        turns.append(review.turn)
        shares.append(share)

    async with scripted_searcher.searcher(service, games=games) as target, SearcherClient(target) as client:
        review = await GameReview(client, game, snake, budget, strategy, progress).run()
    return Reviewed(review, turns, shares, games.requests)


async def test_the_losing_turn_is_named() -> None:
    """The turn whose move lost the game is the losing turn, the only blunder, and the first that sees it."""
    review, turns, *_ = await _reviewed()
    assert (review.result, review.lost_at, review.seen_at, review.seen_depth) == ("lost", FATAL, FATAL, 12)
    assert review.blunders == [FATAL] and review.died_at == duel().turns[-1].turn
    assert set(turns) == {each.turn for each in review.turns}
    [summary] = by_cause([review])
    assert (summary.games, summary.turns_lost) == (1, review.died_at - FATAL)


async def test_the_better_line_begins_with_the_better_move() -> None:
    """It has a move for each snake of the game, and None for a snake that is dead."""
    review = (await _reviewed()).review
    [losing] = [turn for turn in review.turns if turn.turn == FATAL]
    assert losing.other is not None
    assert [moves[LOSER] for moves in review.better_line] == [losing.other.move]
    assert [moves[1 - LOSER] for moves in review.better_line] == [None]
    assert (await _reviewed(snake=1 - LOSER)).review.better_line == []


async def test_all_turns_are_searched_with_their_played_moves_first() -> None:
    """One call has all turns, the last one first, and the number of nodes of each."""
    first, *_ = (await _reviewed()).requests
    assert {each.position.turn: _word(each.played_move) for each in first.positions} == PLAYED
    assert [each.position.turn for each in first.positions] == TURNS[::-1]
    assert first.limits.nodes == MOST and not first.limits.root_moves


def _word(move: search_pb2.Direction) -> str:
    return search_pb2.Direction.Name(move).removeprefix("DIRECTION_").lower()


async def test_a_refused_call_is_repeated() -> None:
    """Only the turns that are left are searched again."""
    calls = 0

    async def script(
        request: analysis_pb2.AnalyzeGameRequest, context: GameContext
    ) -> AsyncIterator[analysis_pb2.AnalyzeGameResponse]:
        nonlocal calls
        calls += 1
        async for response in scores(request, context):
            if calls == 1 and response.index == 2:
                await context.abort(grpc.StatusCode.UNAVAILABLE, "still compiling")
            yield response

    found = await _reviewed(script)
    assert [len(request.positions) for request in found.requests[:2]] == [len(TURNS), len(TURNS) - 2]
    assert found.review.lost_at == FATAL and found.review.unsearched == []


async def test_the_last_escapes_are_searched_longer_and_longer() -> None:
    """They ask which of the other moves are lost. The longest one is of the losing turn alone. Beside it, all
    moves of this turn are compared.
    """
    found = await _reviewed()
    assert found.nodes[: len(TURNS)] == [(turn, MOST) for turn in TURNS[::-1]]
    last = range(FATAL, FATAL - AHEAD, -1)
    steps = [(turn, nodes) for nodes in STEPS[:-1] for turn in last]
    assert sorted(found.nodes[len(TURNS) :]) == sorted([*steps, (FATAL, STEPS[-1]), (FATAL, LONG)])
    losses = [request for request in found.requests if request.only_losses]
    assert len(losses) == len(steps) + 1
    for request in losses:
        [asked] = request.positions
        assert request.only_losses and not asked.played_move
        assert PLAYED[asked.position.turn] not in map(_word, request.limits.root_moves)
        assert len(request.limits.root_moves) == 3


async def test_the_loss_of_the_played_move_is_proven_at_last() -> None:
    """If the first search has not proven it, it gets a search of its own."""

    def value(turn: int, is_played: bool, nodes: int) -> float:
        is_lost = turn > FATAL or (turn == FATAL and is_played and nodes > MOST)
        return -1 if is_lost else 0.1

    found = await _reviewed(valuing(value))
    [asked] = [
        request
        for request in found.requests
        if request.only_losses and PLAYED[FATAL] in map(_word, request.limits.root_moves)
    ]
    assert (asked.limits.nodes, len(asked.limits.root_moves)) == (PROOF, 1)
    assert found.review.lost_at == FATAL


async def test_a_long_search_may_refute_an_escape() -> None:
    """Then the game was lost earlier."""
    needed = {FATAL + 2: STEPS[-1], FATAL + 1: STEPS[0]}

    def value(turn: int, is_played: bool, nodes: int) -> float:
        is_lost = turn > FATAL or (turn == FATAL and is_played)
        return -1 if is_lost and (is_played or nodes >= needed.get(turn, 0)) else 0.1

    found = await _reviewed(valuing(value))
    assert (found.review.lost_at, found.review.seen_at) == (FATAL, FATAL)
    assert {turn for turn, nodes in found.nodes if nodes == STEPS[-1]} == {FATAL + 2, FATAL}


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


async def test_a_strategy_is_searched_by_a_call_of_its_own() -> None:
    """The turns of a crowd and of a duel may have other strategies."""
    turns = [
        msgspec.structs.replace(turn, decisions=[_decided(turn.turn)] * 2) if turn.turn < 3 else turn
        for turn in GAME.turns
    ]
    found = await _reviewed(game=msgspec.structs.replace(GAME, turns=turns))
    calls = [(each.strategy.search, len(each.positions)) for each in found.requests[:2]]
    assert calls == [("", len(TURNS) - 3), ("crowd", 3)]


def _decided(turn: int) -> Decision:
    unknown = dict.fromkeys(("depth", "nodes", "evaluations", "score", "outcome", "stop"))
    times = {"time_ms": 1.0, "budget_ms": 2.0, "left_ms": 3.0}
    known = {"move": PLAYED[turn], "source": "search", "late": False, "strategy": "crowd/hungry"}
    return msgspec.convert({**known, **times, **unknown, "moves": [], "pv": []}, Decision)


async def test_a_review_without_time_says_so() -> None:
    """Turns that were not searched by the end of the time are named."""

    async def slow(
        request: analysis_pb2.AnalyzeGameRequest, context: GameContext
    ) -> AsyncIterator[analysis_pb2.AnalyzeGameResponse]:
        async for response in scores(request, context):
            await asyncio.sleep(0.1)
            yield response

    review = (await _reviewed(slow, Budget(0.5))).review
    assert review.turns and review.unsearched
    assert len(review.turns) + len(review.unsearched) == len(TURNS)
