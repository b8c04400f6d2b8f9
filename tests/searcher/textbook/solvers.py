"""Every search of the textbook under one roof: its value of a tic-tac-toe position and its best moves."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from searcher.textbook import alphabeta, atonce, backtracking, decay, limited, maxn, minimaxing, paranoid
from searcher.textbook.agents import best_moves
from searcher.textbook.game import mover
from searcher.textbook.scores import Score
from searcher.textbook.tictactoe import TicTacToe, TicTacToeBoard

WHOLE_GAME = 9


class Solved(NamedTuple):
    """What a search says of a position: 1, 0 or -1 for the player to move, and the moves it may play."""

    value: int
    moves: list[int]


Solver = Callable[[TicTacToe], Solved]

RECURSIONS: list[tuple[Any, str]] = [
    (minimaxing, "best_result"),
    (decay, "max_turn"),
    (decay, "min_turn"),
    (limited, "limited_score"),
    (paranoid, "paranoid_score"),
    (alphabeta, "alpha_beta_score"),
    (maxn, "maxn_scores"),
    (atonce, "at_once_value"),
]
"""The functions that call themselves by their modules' names, so that a cache can be put in between."""


def no_estimate(game: TicTacToe, player: int) -> float:
    """An evaluator that must not be asked: these searches see the end of every line."""
    raise AssertionError(f"asked for an estimate of {game}")


def solved_by_scores(score_moves: Callable[[TicTacToe], dict[int, Any]]) -> Solver:
    """A solver out of a function that scores moves."""

    def solve(game: TicTacToe) -> Solved:
        scores = score_moves(game)
        best = max(scores.values())
        number = best.result if isinstance(best, Score) else best
        return Solved((number > 0) - (number < 0), best_moves(scores))

    return solve


def solved_at_once(game: TicTacToe) -> Solved:
    """The solver of matrix games, for which a move in turn is a matrix of one row or one column."""
    me = mover(game)
    value = atonce.at_once_value(game, me, WHOLE_GAME, no_estimate)
    chances = atonce.at_once_strategy(game, me, WHOLE_GAME, no_estimate)
    return Solved((value > 0) - (value < 0), [move for move, chance in chances.items() if chance])


SOLVERS: dict[str, Solver] = {
    "minimaxing": solved_by_scores(minimaxing.best_result_moves),
    "backtracking": solved_by_scores(
        lambda game: backtracking.backtracking_moves(TicTacToeBoard(game.cells)),
    ),
    "decay": solved_by_scores(decay.decayed_moves),
    "limited": solved_by_scores(lambda game: limited.limited_moves(game, WHOLE_GAME, no_estimate)),
    "paranoid": solved_by_scores(lambda game: paranoid.paranoid_moves(game, WHOLE_GAME, no_estimate)),
    "alphabeta": solved_by_scores(lambda game: alphabeta.alpha_beta_moves(game, WHOLE_GAME, no_estimate)),
    "maxn": solved_by_scores(lambda game: maxn.maxn_moves(game, WHOLE_GAME, no_estimate)),
    "atonce": solved_at_once,
}

remembering = functools.cache
"""Positions recur along many lines; the searches work each out anew, a test needs it only once."""
