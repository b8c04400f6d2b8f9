"""The functions that all games share."""

import functools
from random import Random

from searcher.textbook.game import MinimaxAgent, best_moves
from searcher.textbook.minimax import best_result_moves
from searcher.textbook.tictactoe import TicTacToe


def test_only_best_moves_are_played() -> None:
    """Over many choices every best move is played, and no other move is."""
    game = TicTacToe("X...O...X")
    agent = MinimaxAgent[TicTacToe](functools.cache(best_result_moves), Random(1))
    best = set(best_moves(best_result_moves(game)))
    assert best == {1, 3, 5, 7}
    assert {agent.select_move(game) for _ in range(60)} == best
