"""All searches of the textbook as functions that solve a tic-tac-toe position."""

from collections.abc import Callable
from typing import Any, NamedTuple

from searcher.textbook import depth_limited, minimax, multiplayer, simultaneous
from searcher.textbook.depth_limited import Score
from searcher.textbook.game import best_moves, mover
from searcher.textbook.tictactoe import TicTacToe

WHOLE_GAME = 9


class Solved(NamedTuple):
    """The solution of a position: 1, 0 or -1 for the player to move, and the best moves."""

    value: int
    moves: list[int]


Solver = Callable[[TicTacToe], Solved]

RECURSIONS: list[tuple[Any, str]] = [
    (minimax, "best_result"),
    (minimax, "max_turn"),
    (minimax, "min_turn"),
    (depth_limited, "depth_limited_score"),
    (multiplayer, "paranoid_score"),
    (multiplayer, "alpha_beta_score"),
    (multiplayer, "maxn_scores"),
    (simultaneous, "simultaneous_value"),
]
"""The recursive functions as module and name, so that a test can put a cache between the calls."""


def no_estimate(game: TicTacToe, player: int) -> float:
    """Fail, as an evaluator that must not be called: these searches reach the end of every line."""
    raise AssertionError(f"the evaluator was called for {game}")


def solved_by_scores(score_moves: Callable[[TicTacToe], dict[int, Any]]) -> Solver:
    """Return a solver made from a function that scores moves."""

    def solve(game: TicTacToe) -> Solved:
        scores = score_moves(game)
        best = max(scores.values())
        number = best.result if isinstance(best, Score) else best
        return Solved((number > 0) - (number < 0), best_moves(scores))

    return solve


def solved_simultaneously(game: TicTacToe) -> Solved:
    """Solve by matrix games. When one player is to move, the matrix has one row or one column."""
    me = mover(game)
    value = simultaneous.simultaneous_value(game, me, WHOLE_GAME, no_estimate)
    probabilities = simultaneous.simultaneous_strategy(game, me, WHOLE_GAME, no_estimate)
    return Solved(
        (value > 0) - (value < 0), [move for move, probability in probabilities.items() if probability]
    )


SOLVERS: dict[str, Solver] = {
    "minimax": solved_by_scores(minimax.best_result_moves),
    "depth_decay": solved_by_scores(minimax.decayed_moves),
    "depth_limited": solved_by_scores(
        lambda game: depth_limited.depth_limited_moves(game, WHOLE_GAME, no_estimate)
    ),
    "paranoid": solved_by_scores(lambda game: multiplayer.paranoid_moves(game, WHOLE_GAME, no_estimate)),
    "alphabeta": solved_by_scores(lambda game: multiplayer.alpha_beta_moves(game, WHOLE_GAME, no_estimate)),
    "maxn": solved_by_scores(lambda game: multiplayer.maxn_moves(game, WHOLE_GAME, no_estimate)),
    "simultaneous": solved_simultaneously,
}
