"""The steps towards minimax, each on an example position."""

from searcher.textbook.game import GameResult
from searcher.textbook.minimax import (
    best_result,
    best_result_moves,
    eliminate_losing_moves,
    find_two_step_win,
    find_winning_move,
)
from searcher.textbook.tictactoe import TicTacToe


def test_find_winning_move() -> None:
    """X completes its row; a position without a winning move returns None."""
    assert find_winning_move(TicTacToe("OO.XX....")) == 5
    assert find_winning_move(TicTacToe("X...O....")) is None


def test_eliminate_losing_moves() -> None:
    """O must block the row of X, which leaves one move; against two open rows no move is left."""
    assert eliminate_losing_moves(TicTacToe("XX..O....")) == [2]
    assert eliminate_losing_moves(TicTacToe("OOXX.XOX.")) == []


def test_the_last_move_of_a_game_loses_nothing() -> None:
    """The last move fills the board, so the opponent has no winning move."""
    assert eliminate_losing_moves(TicTacToe("XXOOOXX.O")) == [7]


def test_an_immediate_win_is_not_a_two_step_win() -> None:
    """A move that wins at once is found by `find_winning_move` only."""
    assert find_winning_move(TicTacToe("XX.OO....")) == 2
    assert find_two_step_win(TicTacToe("XX.OO....")) != 2


def test_find_two_step_win() -> None:
    """X takes a cell that opens two lines, and O can block only one of them."""
    game = TicTacToe("XOX..O.XO")
    assert find_two_step_win(game) == 6
    assert eliminate_losing_moves(game.play({0: 6})) == []
    assert find_two_step_win(TicTacToe()) is None


def test_best_result_of_finished_games() -> None:
    """A finished game returns its result, also for the player who would be next."""
    assert best_result(TicTacToe("XXXOO...."), 1) is GameResult.LOSS
    assert best_result(TicTacToe("XXXOO...."), 0) is GameResult.WIN
    assert best_result(TicTacToe("XXOOOXXXO"), 1) is GameResult.DRAW


def test_best_result_moves() -> None:
    """X, to move, loses with one cell, draws with another and wins with the third."""
    game = TicTacToe("XOXOOX...")
    assert best_result_moves(game) == {6: GameResult.LOSS, 7: GameResult.DRAW, 8: GameResult.WIN}
