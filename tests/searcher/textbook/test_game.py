"""The functions that all games share."""

import pytest

from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.game import GameResult, is_over, mover, opponent, play_in_turn, winner
from searcher.textbook.nim import Nim
from searcher.textbook.tictactoe import TicTacToe
from tests.searcher.textbook.boards import board, snake


def test_results_have_an_order_and_an_opposite() -> None:
    """A win is the best result and the reverse of a loss; a draw is its own reverse."""
    assert max(GameResult) is GameResult.WIN
    assert [result.reversed() for result in GameResult] == sorted(GameResult, reverse=True)


def test_the_winner_of_a_game() -> None:
    """A won game has a winner; an unfinished or drawn game has none."""
    assert winner(TicTacToe("XXXOO....")) == 0
    assert winner(TicTacToe("XX.OO....")) is None
    assert winner(TicTacToe("XXOOOXXXO")) is None
    assert is_over(TicTacToe("XXOOOXXXO"))


def test_exactly_one_player_must_be_to_move() -> None:
    """Games with simultaneous moves and finished games are refused where a single move is expected."""
    simultaneous = Battlesnake(board(snake("a", "11 12 13"), snake("b", "51 52 53")))
    with pytest.raises(ValueError, match=r"exactly one player.*\[0, 1\]"):
        mover(simultaneous)
    with pytest.raises(ValueError, match=r"exactly one player.*\[\]"):
        play_in_turn(Nim((0, 0)), (0, 1))


def test_the_opponent_is_the_other_of_two() -> None:
    """In a game of two, each player is the other's opponent; a game of three is refused."""
    three = Battlesnake(board(snake("a", "11"), snake("b", "31"), snake("c", "51")))
    assert [opponent(TicTacToe(), player) for player in (0, 1)] == [1, 0]
    with pytest.raises(ValueError, match="must have two players, but has 3"):
        opponent(three, 0)
