"""How a reviewed game ended for the snake, and how much time its searches get."""

from collections.abc import AsyncIterator

import grpc
import msgspec
import pytest

from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient
from gateway.console.review import SWEEP_SHARE, Budget, GameReview, Review, TurnReview, played_turns
from gateway.replay.values import Death, Game, Placed, Result, Turn
from tests.gateway import scripted_searcher
from tests.gateway.console.script import duel, loser, scores
from tests.gateway.scripted_searcher import Context, ScriptedService


async def _review(
    game: Game, budget: Budget, snake: int = 0, strategy: str | None = None
) -> tuple[Review, list[float], ScriptedService]:
    """Return the review, its progress, and the searcher."""
    service, shares = ScriptedService(scores), list[float]()

    def progress(_review: TurnReview, share: float) -> None:
        shares.append(share)

    async with scripted_searcher.searcher(service) as target, SearcherClient(target) as client:
        review = await GameReview(client, game, snake, budget, strategy, progress).run()
    return review, shares, service


def _ended(result: Result | None, snakes: int = 2, dies: bool = False) -> Game:
    """Return a game of one turn, in which no move is known; the first snake may be dead by then."""
    whole, others = duel(), [Placed([(3, 3)], 90)] * (snakes - 1)
    mine = None if dies else Placed([(5, 5)], 90)
    deaths = [Death(1, "wall-collision")] * (snakes - 1) + [Death(0, "hazard")] * dies
    turn = Turn(7, [], [], [mine, *others], deaths, [None] * snakes)
    return msgspec.structs.replace(whole, turns=[turn], snakes=whole.snakes[:snakes], result=result)


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
    review, _, _ = await _review(game, Budget())
    assert review.result == result and review.lost_at is None
    is_dead = game.turns[0].snakes[0] is None
    assert (review.died_at, review.cause) == ((7, "hazard") if is_dead else (None, None))


def _times(service: ScriptedService) -> list[float]:
    return [request.limits.time.ToMicroseconds() / 1e6 for request in service.requests]


async def test_a_turn_gets_a_multiple_of_its_own_time() -> None:
    """A file does not say how long moves took: they are taken for 80 % of the game's timeout."""
    game = duel()
    budget = Budget(factor=50_000, seconds=1e9, at_once=3)
    review, shares, service = await _review(game, budget, loser(game))
    full = 50_000 * 0.8 * game.timeout_ms / 1000
    assert all(full - 5 < seconds <= full for seconds in _times(service))
    assert review.unsearched == [] and 0 <= min(shares) <= max(shares) < 0.01


async def test_a_first_search_of_all_turns_takes_a_share_of_the_time() -> None:
    """The share is divided by the turns, two searches each, of which some run next to each other."""
    game = duel()
    budget = Budget(factor=1e6, seconds=20_000, at_once=2)
    _, _, service = await _review(game, budget, loser(game))
    turns = len(played_turns(game, loser(game)))
    share = SWEEP_SHARE * 20_000 * 2 / (2 * turns)
    sweep = _times(service)[: 2 * turns]
    assert all(0.75 * share < seconds <= share for seconds in sweep)
    assert max(_times(service)[2 * turns :]) > 2 * share


async def test_each_turn_has_its_full_time_once() -> None:
    """With time for all of them, every turn is searched briefly and at length: four searches in all."""
    game = duel()
    _, shares, service = await _review(game, Budget(factor=1e6, seconds=20_000), loser(game))
    turns = len(played_turns(game, loser(game)))
    assert len(service.requests) == 4 * turns and len(shares) == 2 * turns
    # No search takes more than half of the time that is left, as a turn has two of them.
    assert 9_500 < max(_times(service)) <= 10_000


@pytest.mark.parametrize(("strategy", "searched"), [(None, ""), ("maxn/area", "maxn")])
async def test_the_strategy_is_the_played_one_unless_another_is_named(
    strategy: str | None, searched: str
) -> None:
    """A file of the engine names none, which is the searcher's default."""
    game = duel()
    _, _, service = await _review(game, Budget(factor=1, seconds=100), loser(game), strategy)
    assert {request.strategy.search for request in service.requests} == {searched}


async def test_turns_without_an_answer_are_named() -> None:
    """A searcher that refuses all turns but one leaves the others unsearched, and the review has that one."""

    async def refuses_others(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        if request.position.turn < last:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "another turn")
        async for response in scores(request, context):
            yield response

    game = duel()
    numbers = [turn.number for turn in played_turns(game, loser(game))]
    last, service = numbers[-1], ScriptedService(refuses_others)
    async with scripted_searcher.searcher(service) as target, SearcherClient(target) as client:
        review = await GameReview(client, game, loser(game), Budget(10, 60.0, 1)).run()
    assert [turn.turn for turn in review.turns] == [last]
    assert review.unsearched == numbers[:-1]
    assert 0 < review.seconds < 60
