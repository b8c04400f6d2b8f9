"""The functions that all games share."""

import functools
from random import Random

import pytest

from searcher.textbook.battlesnake import Battlesnake
from searcher.textbook.game import (
    MinimaxAgent,
    best_moves,
    is_over,
    mover,
    opponent,
    play_in_turn,
    winner,
)
from searcher.textbook.minimax import best_result_moves
from searcher.textbook.tictactoe import TicTacToe
from tests.searcher.textbook.boards import board, snake


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
        play_in_turn(TicTacToe("XXXOO...."), 8)


def test_the_opponent_is_the_other_of_two() -> None:
    """In a game of two, each player is the other's opponent; a game of three is refused."""
    three = Battlesnake(board(snake("a", "11"), snake("b", "31"), snake("c", "51")))
    assert [opponent(TicTacToe(), player) for player in (0, 1)] == [1, 0]
    with pytest.raises(ValueError, match="must have two players, but has 3"):
        opponent(three, 0)


def test_only_best_moves_are_played() -> None:
    """Over many choices every best move is played, and no other move is."""
    game = TicTacToe("X...O...X")
    agent = MinimaxAgent[TicTacToe](functools.cache(best_result_moves), Random(1))
    best = set(best_moves(best_result_moves(game)))
    assert best == {1, 3, 5, 7}
    assert {agent.select_move(game) for _ in range(60)} == best
