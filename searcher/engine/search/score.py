"""Scores, in order: losses, draws (of both: later is better), heuristics, wins (sooner is better).

A draw ranks below all that is undecided: were it worth a half, two equal snakes would run into each
other as soon as their heuristics are a little below nothing. Inside the engine a score is a whole number;
outside, a number from -1 to 1 and perhaps a proven outcome.

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

from numba import njit

from searcher.engine.result import Outcome, OutcomeKind

HEURISTIC_LIMIT = 1_000_000
"""What a heuristic of 1 would be; heuristics stay below it."""
MAX_TURNS = 1_000
"""Above the turns of every search."""
WIN = HEURISTIC_LIMIT + MAX_TURNS
"""A win now."""
DRAW = -HEURISTIC_LIMIT - MAX_TURNS
"""A draw now."""
LOSS = DRAW - MAX_TURNS
"""A loss now."""
INFINITE = 1 - LOSS
"""Above every score; its negative is below."""


@njit
def win_at(turns: int) -> int:
    """A win in so many turns."""
    return WIN - turns


@njit
def loss_at(turns: int) -> int:
    """A loss in so many turns."""
    return LOSS + turns


@njit
def draw_at(turns: int) -> int:
    """A draw in so many turns."""
    return DRAW + turns


@njit
def heuristic(value: float) -> int:
    """An evaluator's value as a score: clamped into (-1, 1), and not a number is 0."""
    if math.isnan(value):
        return 0
    scaled = int(min(max(value, -1.0), 1.0) * HEURISTIC_LIMIT)
    return min(max(scaled, 1 - HEURISTIC_LIMIT), HEURISTIC_LIMIT - 1)


def is_proven(score: int) -> bool:
    """Whether the score is an end that no deeper look can change."""
    return abs(score) >= HEURISTIC_LIMIT


def is_loss(score: int) -> bool:
    """Whether the score is a proven loss."""
    return score < DRAW


def to_unit(score: int) -> float:
    """The score outside the engine, from -1 (lost) to 1 (won)."""
    if score > 0 or is_loss(score):
        return min(max(score / HEURISTIC_LIMIT, -1.0), 1.0)
    return max(score, 1 - HEURISTIC_LIMIT) / HEURISTIC_LIMIT


def outcome_of(score: int) -> Outcome | None:
    """The proven end that a score stands for; None if it is a heuristic."""
    if not is_proven(score):
        return None
    if score > 0:
        return Outcome(OutcomeKind.WIN, WIN - score)
    if is_loss(score):
        return Outcome(OutcomeKind.LOSS, score - LOSS)
    return Outcome(OutcomeKind.DRAW, score - DRAW)
