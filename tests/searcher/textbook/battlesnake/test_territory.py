"""The territory evaluator: which snake reaches which cells first."""

import pytest

from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.battlesnake.territory import reached_first, territory
from tests.searcher.textbook.boards import board, snake


def test_a_mirrored_duel_is_even() -> None:
    """Two equal snakes in mirrored places own equally many cells, and nobody owns the line between them."""
    game = Battlesnake(board(snake("a", "11 10"), snake("b", "51 50")))
    owners = reached_first(game.board)
    assert all(owners[3, y] is None for y in range(7))
    assert territory(game, 0) == territory(game, 1) == 2 * 20 / 47 - 1


def test_the_longer_snake_wins_ties() -> None:
    """A snake that is one segment longer owns the line between the two."""
    owners = reached_first(board(snake("a", "11 10"), snake("b", "51 50 60")))
    assert {owners[3, y] for y in range(7)} == {1}


def test_walls_and_bodies_block() -> None:
    """A snake trapped in a corner owns nothing; its opponent owns every reachable cell."""
    game = Battlesnake(board(snake("a", "00 01 11 10 20"), snake("b", "44 45 46")))
    assert territory(game, 0) == -1
    assert territory(game, 1) == 1


@pytest.mark.parametrize(("ruleset", "first"), [("standard", 1), ("wrapped", 0)])
def test_wrapped_edges_are_shortcuts(ruleset: str, first: int) -> None:
    """From column 1 the last column is five steps away, or two across the wrapped edge."""
    owners = reached_first(board(snake("a", "13 12"), snake("b", "33 32"), ruleset=ruleset))
    assert owners[6, 3] == first


def test_a_full_board_has_no_territory() -> None:
    """On a full board nobody owns a cell."""
    cells = "00 01 11 10 10"
    assert territory(Battlesnake(board(snake("a", cells), size=2)), 0) == -1
