"""What all games have in common."""

import pytest

from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.game import GameResult, is_over, mover, opponent, play_in_turn, winner
from searcher.textbook.nim import Nim
from searcher.textbook.tictactoe import TicTacToe
from tests.searcher.textbook.boards import board, snake


def test_results_have_an_order_and_an_opposite() -> None:
    """A win is the best and the opposite of a loss; a draw is its own."""
    assert max(GameResult) is GameResult.WIN
    assert [result.reversed() for result in GameResult] == sorted(GameResult, reverse=True)


def test_the_winner_of_a_game() -> None:
    """A finished game names its winner, one that goes on or is drawn nobody."""
    assert winner(TicTacToe("XXXOO....")) == 0
    assert winner(TicTacToe("XX.OO....")) is None
    assert winner(TicTacToe("XXOOOXXXO")) is None
    assert is_over(TicTacToe("XXOOOXXXO"))


def test_one_player_to_move_is_needed() -> None:
    """Games at once and games that are over are refused where one move is asked for."""
    at_once = Battlesnake(board(snake("a", "11 12 13"), snake("b", "51 52 53")))
    with pytest.raises(ValueError, match=r"exactly one player.*\[0, 1\]"):
        mover(at_once)
    with pytest.raises(ValueError, match=r"exactly one player.*\[\]"):
        play_in_turn(Nim((0, 0)), (0, 1))


def test_the_opponent_is_the_other_of_two() -> None:
    """Of two players each is the other's opponent; of three nobody is."""
    three = Battlesnake(board(snake("a", "11"), snake("b", "31"), snake("c", "51")))
    assert [opponent(TicTacToe(), player) for player in (0, 1)] == [1, 0]
    with pytest.raises(ValueError, match="two players is needed, this one has 3"):
        opponent(three, 0)
