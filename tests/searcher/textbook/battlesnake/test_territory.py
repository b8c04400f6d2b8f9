"""Who gets where first."""

import pytest

from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.battlesnake.territory import reached_first, territory
from tests.searcher.textbook.boards import board, snake


def test_a_mirrored_duel_is_even() -> None:
    """Two equal snakes in mirrored places own as much, and nobody the line between."""
    game = Battlesnake(board(snake("a", "11 10"), snake("b", "51 50")))
    owners = reached_first(game.board)
    assert all(owners[3, y] is None for y in range(7))
    assert territory(game, 0) == territory(game, 1) == 2 * 20 / 47 - 1


def test_the_longer_snake_wins_ties() -> None:
    """With one part more the line between is theirs."""
    owners = reached_first(board(snake("a", "11 10"), snake("b", "51 50 60")))
    assert {owners[3, y] for y in range(7)} == {1}


def test_walls_and_bodies_shut_out() -> None:
    """A snake boxed into a corner has nothing; its rival all that can be reached."""
    game = Battlesnake(board(snake("a", "00 01 11 10 20"), snake("b", "44 45 46")))
    assert territory(game, 0) == -1
    assert territory(game, 1) == 1


@pytest.mark.parametrize(("ruleset", "first"), [("standard", 1), ("wrapped", 0)])
def test_seams_are_shortcuts(ruleset: str, first: int) -> None:
    """From column 1 the last column is six steps away, or two across the seam."""
    owners = reached_first(board(snake("a", "13 12"), snake("b", "33 32"), ruleset=ruleset))
    assert owners[6, 3] == first


def test_no_cell_left_is_no_territory() -> None:
    """On a full board everybody has nothing."""
    cells = "00 01 11 10 10"
    assert territory(Battlesnake(board(snake("a", cells), size=2)), 0) == -1
