"""The rules of tic-tac-toe."""

import pytest

from searcher.textbook.game import GameResult
from searcher.textbook.tictactoe import LINES, MARKS, TicTacToe, TicTacToeBoard, open_lines


def test_players_take_turns() -> None:
    """X begins and O follows; each mark is set on the chosen cell."""
    game = TicTacToe().play({0: 4}).play({1: 0})
    assert game.cells == "O...X...."
    assert (game.turn, game.to_move) == (2, (0,))
    assert game.legal_moves(0) == [1, 2, 3, 5, 6, 7, 8]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("player", [0, 1])
def test_every_line_wins(line: tuple[int, ...], player: int) -> None:
    """Three equal marks in any line win and end the game, on both kinds of board."""
    cells = "".join(MARKS[player] if cell in line else "." for cell in range(9))
    game = TicTacToe(cells)
    assert game.result(player) is GameResult.WIN
    assert game.result(1 - player) is GameResult.LOSS
    assert game.to_move == ()
    assert TicTacToeBoard(cells).result() is game.result(0)


def test_a_full_board_is_a_draw() -> None:
    """Nine marks without a line are a draw for both players."""
    game = TicTacToe("XXOOOXXXO")
    assert [game.result(player) for player in game.players] == [GameResult.DRAW] * 2
    assert game.players == (0, 1) and game.to_move == ()
    assert TicTacToeBoard(game.cells).result() is GameResult.DRAW
    assert TicTacToeBoard("XXOOOXXX.").result() is None


def test_a_taken_cell_is_refused() -> None:
    """The error names the taken cell and the free cells."""
    with pytest.raises(ValueError, match=r"cell 4 is not free; the free cells are \[0, 1"):
        TicTacToe("....X....").play({1: 4})


def test_open_lines_favour_the_centre() -> None:
    """The evaluator prefers the centre, and its value is negated for the opponent."""
    values = {cell: open_lines(TicTacToe().play({0: cell}), 0) for cell in range(9)}
    assert max(values, key=lambda cell: values[cell]) == 4
    assert values[4] == 0.5 == -open_lines(TicTacToe("....X...."), 1)
