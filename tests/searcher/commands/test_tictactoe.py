"""The game of tic-tac-toe in the terminal."""

from random import Random

import pytest
from click.testing import CliRunner, Result

from searcher.commands.tictactoe import tictactoe


def played(typed: str) -> Result:
    """Return the result of a game with typed input, which begins with the mark."""
    return CliRunner().invoke(tictactoe, input=typed)


@pytest.mark.parametrize("side", ["X", "o"])
def test_a_whole_game(side: str) -> None:
    """Either side can be played to the end, and the human never wins."""
    cells = [str(cell) for cell in range(1, 10)]
    Random(1).shuffle(cells)
    result = played("\n".join([side, *cells]) + "\n")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] in ("A draw.", "I win.")


def test_invalid_input_is_explained() -> None:
    """The messages contain the input and what is valid, and the game goes on."""
    result = played("Y\nX\n0\n5\n")
    assert "Error: 'Y' is not one of 'x', 'o'." in result.output
    assert "Error: '0' is not one of '1', '2', '3', '4', '5', '6', '7', '8', '9'." in result.output
    assert "I play" in result.output


def test_input_that_ends_ends_the_game() -> None:
    """The end of the input ends the program with a message, not with a traceback."""
    result = played("X\n5\n")
    assert result.exit_code == 1
    assert "Aborted!" in result.output
