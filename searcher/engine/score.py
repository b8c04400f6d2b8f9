"""Scores, in order: losses (later is better) < heuristics < wins (sooner is better). A draw is 0.

Inside the engine a score is a whole number; outside, a number from -1 to 1 and perhaps a proven outcome.

>>> loss_at(3) < loss_at(9) < heuristic(-1.0) < DRAW < heuristic(1.0) < win_at(9) < win_at(3)
True
>>> to_unit(win_at(9)), to_unit(heuristic(0.5)), to_unit(loss_at(3))
(1.0, 0.5, -1.0)
>>> outcome_of(win_at(9))
Outcome(kind=<OutcomeKind.WIN: 'win'>, turns=9)
>>> outcome_of(heuristic(0.9)) is None
True
"""

import math

from numba import njit

from searcher.engine.result import Outcome, OutcomeKind

DRAW = 0
HEURISTIC_LIMIT = 1_000_000
"""What a heuristic of 1 would be; heuristics stay below it."""
MAX_TURNS = 1_000
WIN = HEURISTIC_LIMIT + MAX_TURNS
"""A win now."""
INFINITE = WIN + 1
"""Above every score."""


@njit
def win_at(turns: int) -> int:
    """A win in so many turns."""
    return WIN - turns


@njit
def loss_at(turns: int) -> int:
    """A loss in so many turns."""
    return turns - WIN


@njit
def heuristic(value: float) -> int:
    """An evaluator's value as a score: clamped into (-1, 1), and not a number is 0."""
    if math.isnan(value):
        return 0
    scaled = int(min(max(value, -1.0), 1.0) * HEURISTIC_LIMIT)
    return min(max(scaled, 1 - HEURISTIC_LIMIT), HEURISTIC_LIMIT - 1)


def is_proven(score: int) -> bool:
    """Whether the score is a win or a loss that no deeper look can change."""
    return abs(score) >= HEURISTIC_LIMIT


def is_loss(score: int) -> bool:
    """Whether the score is a proven loss."""
    return score <= -HEURISTIC_LIMIT


def to_unit(score: int) -> float:
    """The score outside the engine, from -1 (lost) to 1 (won)."""
    if is_proven(score):
        return math.copysign(1.0, score)
    return score / HEURISTIC_LIMIT


def outcome_of(score: int) -> Outcome | None:
    """The proven end that a score stands for; None if it is a heuristic."""
    if not is_proven(score):
        return None
    kind = OutcomeKind.WIN if score > 0 else OutcomeKind.LOSS
    return Outcome(kind, WIN - abs(score))
