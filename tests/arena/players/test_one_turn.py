"""Players that look one turn ahead load their code in advance and report nothing but a move."""

from arena.games.entrants import one_turn_opponents
from arena.players.one_turn import OneTurnPlayer, ratings_of_game
from tests.arena.players.recorded_views import recorded_view

RATE = one_turn_opponents()["greedy"].rate


async def test_starting_loads_the_code_of_a_game() -> None:
    """Starting a game loads the code for every number of snakes that may remain, each function once."""
    view = recorded_view()
    player = OneTurnPlayer(RATE)
    await player.start(view)
    ratings = ratings_of_game(view.position, RATE)
    assert max(rating.shape.snakes for rating in ratings) >= len(view.position.snakes)
    assert len({rating.functions for rating in ratings}) == len(ratings)
    assert all(rating.is_cached() for rating in ratings)
