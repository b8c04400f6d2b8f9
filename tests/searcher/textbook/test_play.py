"""Tic-tac-toe in the terminal."""

from random import Random

import pytest
from click.testing import CliRunner, Result

from searcher.textbook.play import tictactoe


def played(*options: str, typed: str) -> Result:
    """What a game says to what is typed."""
    return CliRunner().invoke(tictactoe, [*options, "--seed", "1"], input=typed)


@pytest.mark.parametrize("side", ["X", "O", "x", "o"])
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game(side: str, seed: int) -> None:
    """Either side can be played to an end, which is never a win against it."""
    cells = [str(cell) for cell in range(1, 10)]
    Random(seed).shuffle(cells)
    result = played("--side", side, typed="\n".join(cells) + "\n")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] in ("A draw.", "I win.")


def test_the_side_is_asked_for() -> None:
    """Without an option it asks, and asks again when the answer is no mark."""
    result = played(typed="Y\n\nx\n1\n2\n3\n4\n5\n6\n7\n8\n9\n")
    assert "'Y' is not a mark: type X to begin or O to answer." in result.output
    assert "Your move, X" in result.output
    assert result.exit_code == 0


@pytest.mark.parametrize("wrong", ["0", "10", "-1", "five", "1.0", "²", "1 2"])
def test_what_is_no_cell_is_explained(wrong: str) -> None:
    """The message names what was typed and the cells that are free, and the game goes on."""
    result = played("--side", "X", typed=f"{wrong}\n5\n")
    assert f"'{wrong}' is not a cell: type one of 1, 2, 3, 4, 5, 6, 7, 8, 9." in result.output
    assert "I play" in result.output


def test_a_taken_cell_is_explained() -> None:
    """The message says so and names the free cells."""
    result = played("--side", "X", typed="5\n5\n")
    assert "cell 5 is taken: type one of " in result.output


def test_input_that_ends_ends_the_game() -> None:
    """At the end of input it stops with a word, not with a traceback."""
    result = played("--side", "X", typed="5\n")
    assert result.exit_code == 1
    assert "Aborted!" in result.output


def test_the_board_is_shown() -> None:
    """Marks where they are, and the numbers of the free cells."""
    result = played("--side", "O", typed="")
    assert sum(line.count("X") for line in result.output.splitlines() if "|" in line) == 1
    assert " | " in result.output
