"""The functions that all games share."""

import functools
from random import Random

import pytest

from searcher.textbook.battlesnake import Battlesnake
from searcher.textbook.game import (
    GameResult,
    MinimaxAgent,
    MixedAgent,
    best_moves,
    is_over,
    mover,
    opponent,
    play_in_turn,
    winner,
)
from searcher.textbook.minimax import best_result_moves
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


def test_only_best_moves_are_played() -> None:
    """Over many choices every best move is played, and no other move is."""
    game = TicTacToe("X...O...X")
    agent = MinimaxAgent[TicTacToe](functools.cache(best_result_moves), Random(1))
    best = set(best_moves(best_result_moves(game)))
    assert best == {1, 3, 5, 7}
    assert {agent.select_move(game) for _ in range(60)} == best


def test_the_seed_decides() -> None:
    """The same seed gives the same choices, and another seed gives other choices."""

    def choices(seed: int) -> list[int]:
        agent = MinimaxAgent[TicTacToe](lambda game: dict.fromkeys(range(9), 0), Random(seed))
        return [agent.select_move(TicTacToe()) for _ in range(20)]

    assert choices(3) == choices(3) != choices(4)


def test_mixed_agents_follow_the_probabilities() -> None:
    """A move is played about as often as its probability says, and never if that is zero."""
    agent = MixedAgent[TicTacToe](lambda game: {"often": 0.75, "seldom": 0.25, "never": 0.0}, Random(1))
    moves = [agent.select_move(TicTacToe()) for _ in range(400)]
    assert set(moves) == {"often", "seldom"}
    assert 250 < moves.count("often") < 350
