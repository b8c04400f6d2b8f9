"""The steps towards minimax, each on a position that shows it."""

from searcher.textbook.game import GameResult
from searcher.textbook.minimaxing import (
    best_result,
    best_result_moves,
    eliminate_losing_moves,
    find_two_step_win,
    find_winning_move,
)
from searcher.textbook.tictactoe import TicTacToe


def test_find_winning_move() -> None:
    """X completes its row; in a position without such a move there is none to find."""
    assert find_winning_move(TicTacToe("OO.XX....")) == 5
    assert find_winning_move(TicTacToe("X...O....")) is None


def test_eliminate_losing_moves() -> None:
    """O has to stop the row of X, so one move is left; with two rows open none is."""
    assert eliminate_losing_moves(TicTacToe("XX..O....")) == [2]
    assert eliminate_losing_moves(TicTacToe("OOXX.XOX.")) == []


def test_the_last_move_of_a_game_loses_nothing() -> None:
    """Filling the board leaves the opponent no move to win with."""
    assert eliminate_losing_moves(TicTacToe("XXOOOXX.O")) == [7]


def test_a_win_at_once_is_no_win_in_two() -> None:
    """The move that ends the game with a win is left to `find_winning_move`."""
    assert find_winning_move(TicTacToe("XX.OO....")) == 2
    assert find_two_step_win(TicTacToe("XX.OO....")) != 2


def test_find_two_step_win() -> None:
    """X takes a cell that opens two lines at once, which O can't both close."""
    game = TicTacToe("XOX..O.XO")
    assert find_two_step_win(game) == 6
    assert eliminate_losing_moves(game.play({0: 6})) == []
    assert find_two_step_win(TicTacToe()) is None


def test_best_result_of_finished_games() -> None:
    """A finished game is what it is, for the player who would be next."""
    assert best_result(TicTacToe("XXXOO...."), 1) is GameResult.LOSS
    assert best_result(TicTacToe("XXXOO...."), 0) is GameResult.WIN
    assert best_result(TicTacToe("XXOOOXXXO"), 1) is GameResult.DRAW


def test_best_result_moves() -> None:
    """X to move loses with one cell, draws with another and wins with the third."""
    game = TicTacToe("XOXOOX...")
    assert best_result_moves(game) == {6: GameResult.LOSS, 7: GameResult.DRAW, 8: GameResult.WIN}
