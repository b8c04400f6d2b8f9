"""How certain a fit is: errors of its weights, which allow for games having many positions each."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags_array, hstack

from arena.learning.fits.texel import Linear, Model, chances_of
from arena.learning.samples.design import Design
from arena.learning.samples.numbers import Numbers
from searcher.interface import Weight


def standard_errors(model: Model, linear: Linear, declared: Sequence[Weight], design: Design) -> Numbers:
    """Return the standard error of each weight; NaN for one at a bound, or without an effect in the data.

    The errors are clustered by game: all positions of a game have the same outcome, and count as one
    observation (Liang and Zeger 1986).
    """
    free = _free(model, linear, declared)
    found = np.full(len(declared), np.nan)
    if not free.any():
        return found
    slopes = model.scale * linear.slopes[:, free].astype(np.float64)
    inputs = csr_matrix(hstack([csr_matrix(slopes), design.strengths]))
    chances = chances_of(model, linear.values, design)
    curvature = inputs.T @ diags_array(chances * (1.0 - chances)) @ inputs
    games = csr_matrix(
        (chances - design.targets, (design.games, np.arange(len(chances)))),
        shape=(int(design.games.max()) + 1, len(chances)),
    )
    by_game = (games @ inputs).toarray()
    inverse = np.linalg.pinv(curvature.toarray())
    covariance = inverse @ (by_game.T @ by_game) @ inverse
    found[free] = np.sqrt(np.diag(covariance))[: int(free.sum())]
    return found


def _free(model: Model, linear: Linear, declared: Sequence[Weight]) -> NDArray[np.bool_]:
    """Return which weights are within their bounds, and make a difference."""
    within = [weight.minimum < model.weights[weight.name] < weight.maximum for weight in declared]
    differs: NDArray[np.bool_] = np.abs(linear.slopes).max(axis=0) > 0.0
    return np.array(within) & differs
