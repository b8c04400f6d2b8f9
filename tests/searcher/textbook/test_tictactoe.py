"""The rules of tic-tac-toe."""

import pytest

from searcher.textbook.tictactoe import TicTacToe, open_lines


def test_a_taken_cell_is_refused() -> None:
    """The error names the taken cell and the free cells."""
    with pytest.raises(ValueError, match=r"cell 4 is not free; the free cells are \[0, 1"):
        TicTacToe("....X....").play({1: 4})


def test_open_lines_favour_the_centre() -> None:
    """The evaluator prefers the centre, and its value is negated for the opponent."""
    values = {cell: open_lines(TicTacToe().play({0: cell}), 0) for cell in range(9)}
    assert max(values, key=lambda cell: values[cell]) == 4
    assert values[4] == 0.5 == -open_lines(TicTacToe("....X...."), 1)
