"""Evaluators: how good a position is for one snake. One file here is one evaluator, found by its name.

Such a file has `DESCRIPTION` (one line), `WEIGHTS` (a tuple of Weight) and the function

    evaluate(game, board, weights, snake) -> float

which says from -1 (lost) to 1 (won) how a living snake stands; `weights.values` are in the order of
`WEIGHTS`. What lies outside is clamped. So are modules of installed packages, which offer them under the
entry point group `battlesnake.evaluators`.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weight:
    """A number of an evaluator that a caller may change, with its bounds, both included."""

    name: str
    default: float
    minimum: float
    maximum: float
    description: str


@dataclass(frozen=True, slots=True)
class Evaluator:
    """An evaluator as the searcher knows it; `evaluate` is plain Python until a search needs it."""

    name: str
    description: str
    weights: tuple[Weight, ...]
    evaluate: Callable[..., float]
