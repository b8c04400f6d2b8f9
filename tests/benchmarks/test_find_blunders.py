"""Games with a planted blunder, reviewed with real searches; benchmarks.find_blunders reviews all of them."""

from pathlib import Path

import pytest

from battlesnake_search.searcher_client import SearcherClient
from benchmarks.find_blunders import review_of
from benchmarks.plant_blunders import read_planted
from gateway.console.game_review import Budget
from tests.gateway.console.analyses import searcher
from tests.searcher.real_strategies import RealStrategies

PLANTED = Path(__file__).parents[1] / "fixtures" / "games" / "planted.jsonl.gz"
SHORT = "planted-1139"
"""A game that ends soon after the planted move, so that any machine proves the loss in time."""


@pytest.mark.rest("reviews by real searches")
@pytest.mark.usefixtures("compiled")
async def test_the_planted_blunder_is_the_losing_turn() -> None:
    """The review names the turn with the planted move, and lists it as a blunder."""
    planted = next(game for game in read_planted(PLANTED) if game.header.id == SHORT)
    async with searcher(RealStrategies()) as target, SearcherClient(target) as client:
        review = await review_of(client, planted, Budget(seconds=8), "auto")
    assert review.lost_at == planted.planted
    assert planted.planted in review.blunders
    [turn] = [turn for turn in review.turns if turn.turn == planted.planted]
    assert (turn.played.move, turn.was_decisive) == (planted.move, True)
