"""Scores. In increasing order: losses, draws, heuristics, wins.

Late losses and draws are better than early ones, and early wins better than late ones. A draw ranks below
every undecided position. If it counted as zero, two equal snakes would run into each other whenever their
heuristic scores are slightly negative. Inside the engine a score is an integer. Outside it is a number from
-1 to 1 with an optional proven outcome.

>>> loss_at(3) < loss_at(9) < draw_at(3) < draw_at(9) < heuristic(-1.0)
True
>>> heuristic(-1.0) < heuristic(1.0) < win_at(9) < win_at(3)
True
>>> to_unit(win_at(9)), to_unit(heuristic(0.5)), to_unit(draw_at(3)), to_unit(loss_at(3))
(1.0, 0.5, -0.999999, -1.0)
>>> outcome_of(win_at(9))
Outcome(kind=<OutcomeKind.WIN: 'win'>, turns=9)
>>> outcome_of(heuristic(0.9)) is None
True
"""

import math

from searcher.engine.jit.decorator import njit
from searcher.engine.result import Outcome, OutcomeKind

HEURISTIC_LIMIT = 1_000_000
"""The score of a heuristic of 1. The absolute values of heuristic scores are below it."""
MAX_TURNS = 1_000
"""A number of turns that no search reaches."""
WIN = HEURISTIC_LIMIT + MAX_TURNS
"""The score of a win in 0 turns."""
DRAW = -HEURISTIC_LIMIT - MAX_TURNS
"""The score of a draw in 0 turns."""
LOSS = DRAW - MAX_TURNS
"""The score of a loss in 0 turns."""
INFINITE = 1 - LOSS
"""A number greater than every score. Its negative is less than every score."""


@njit
def win_at(turns: int) -> int:
    """Return the score of a win in this number of turns."""
    return WIN - turns


@njit
def loss_at(turns: int) -> int:
    """Return the score of a loss in this number of turns."""
    return LOSS + turns


@njit
def draw_at(turns: int) -> int:
    """Return the score of a draw in this number of turns."""
    return DRAW + turns


@njit
def heuristic(value: float) -> int:
    """Return an evaluator's value as a score, clamped to within (-1, 1), or 0 if it is not a number."""
    if math.isnan(value):
        return 0
    scaled = int(min(max(value, -1.0), 1.0) * HEURISTIC_LIMIT)
    return min(max(scaled, 1 - HEURISTIC_LIMIT), HEURISTIC_LIMIT - 1)


def is_proven(score: int) -> bool:
    """Return whether the score is a proven end."""
    return abs(score) >= HEURISTIC_LIMIT


def is_settled(score: int) -> bool:
    """Return whether the score is a win or a loss. A deeper search may find that a draw is a loss."""
    return score >= HEURISTIC_LIMIT or is_loss(score)


def is_loss(score: int) -> bool:
    """Return whether the score is a proven loss."""
    return score < DRAW


def to_unit(score: int) -> float:
    """Return the score in its form outside the engine, from -1 (lost) to 1 (won)."""
    if score > 0 or is_loss(score):
        return min(max(score / HEURISTIC_LIMIT, -1.0), 1.0)
    return max(score, 1 - HEURISTIC_LIMIT) / HEURISTIC_LIMIT


def outcome_of(score: int) -> Outcome | None:
    """Return the proven end that a score stands for, or None for a heuristic."""
    if not is_proven(score):
        return None
    if score > 0:
        return Outcome(OutcomeKind.WIN, WIN - score)
    if is_loss(score):
        return Outcome(OutcomeKind.LOSS, score - LOSS)
    return Outcome(OutcomeKind.DRAW, score - DRAW)
