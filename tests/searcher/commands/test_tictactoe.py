"""The game of tic-tac-toe in the terminal."""

from random import Random

import pytest
from click.testing import CliRunner, Result

from searcher.commands.tictactoe import tictactoe


def played(typed: str) -> Result:
    """Return the result of a game with typed input, which begins with the mark."""
    return CliRunner().invoke(tictactoe, input=typed)


@pytest.mark.parametrize("side", ["X", "O", "x", "o"])
def test_a_whole_game(side: str) -> None:
    """Either side can be played to the end, and the human never wins."""
    cells = [str(cell) for cell in range(1, 10)]
    Random(1).shuffle(cells)
    result = played("\n".join([side, *cells]) + "\n")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] in ("A draw.", "I win.")


def test_the_side_is_asked_for() -> None:
    """The program asks for a mark, and asks again if the answer is not a mark."""
    result = played("Y\n\nx\n1\n2\n3\n4\n5\n6\n7\n8\n9\n")
    assert "'Y' is not a mark: type X to begin or O to answer." in result.output
    assert "Your move, X" in result.output
    assert result.exit_code == 0


@pytest.mark.parametrize("wrong", ["0", "five", "²"])
def test_an_invalid_cell_is_explained(wrong: str) -> None:
    """The message contains the input and the free cells, and the game goes on."""
    result = played(f"X\n{wrong}\n5\n")
    assert f"'{wrong}' is not a cell: type one of 1, 2, 3, 4, 5, 6, 7, 8, 9." in result.output
    assert "I play" in result.output


def test_input_that_ends_ends_the_game() -> None:
    """The end of the input ends the program with a message, not with a traceback."""
    result = played("X\n5\n")
    assert result.exit_code == 1
    assert "Aborted!" in result.output


def test_the_board_is_shown() -> None:
    """The board shows the marks and the numbers of the free cells."""
    result = played("O\n")
    assert sum(line.count("X") for line in result.output.splitlines() if "|" in line) == 1
    assert " | " in result.output
