"""The backtracking search, which makes and unmakes moves on one board."""

from random import Random

import pytest

from searcher.textbook.backtracking import backtracking_moves, backtracking_value, postorder_values
from searcher.textbook.game import GameResult
from searcher.textbook.tictactoe import TicTacToeBoard

MIDDLE = "X.O.X...O"


class ShuffledBoard(TicTacToeBoard):
    """A board that lists its moves in a random order."""

    random = Random(5)

    def legal_moves(self) -> list[int]:
        """Return the empty cells in a random order."""
        return self.random.sample(super().legal_moves(), k=self.cells.count("."))


def test_the_board_is_left_unchanged() -> None:
    """After a search the board is as before."""
    board = TicTacToeBoard(MIDDLE)
    backtracking_value(board)
    backtracking_moves(board)
    assert "".join(board.cells) == MIDDLE


@pytest.mark.parametrize("steps", [1, 2, 7, 100])
def test_an_abandoned_search_unmakes_its_moves(steps: int) -> None:
    """Closing the generator after a few values restores the board."""
    board = TicTacToeBoard(MIDDLE)
    values = postorder_values(board)
    for _ in range(steps):
        next(values)
    assert "".join(board.cells) != MIDDLE
    values.close()
    assert "".join(board.cells) == MIDDLE


def test_the_order_of_moves_does_not_matter() -> None:
    """In any order, every move is tried once and gets the same value."""
    expected = backtracking_moves(TicTacToeBoard(MIDDLE))
    visits = sum(1 for _ in postorder_values(TicTacToeBoard(MIDDLE)))
    for _ in range(10):
        assert backtracking_moves(ShuffledBoard(MIDDLE)) == expected
        assert sum(1 for _ in postorder_values(ShuffledBoard(MIDDLE))) == visits


def test_children_come_before_their_parent() -> None:
    """In post-order a position follows all its descendants, and the root is last."""
    board = TicTacToeBoard(MIDDLE)
    counts = [board.cells.count(".") for _ in postorder_values(board)]
    first_parent = next(place for place, count in enumerate(counts) if count == 1)
    assert counts[first_parent - 1] == 0
    assert counts.index(5) == len(counts) - 1


def test_values_are_those_of_the_first_player() -> None:
    """When O is about to complete a line, X has lost; the values of the moves are O's."""
    board = TicTacToeBoard("OO.XX.X..")
    assert backtracking_value(board) is GameResult.LOSS
    assert backtracking_moves(board)[2] is GameResult.WIN
