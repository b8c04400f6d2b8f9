"""Fits an evaluator's weights to the outcomes of games: Texel's method.

A value is good if its logistic function, times a scale, is the chance to win. Peter Österlund found the
weights of his chess engine Texel in this way, by changing one weight after the other. This module uses the
Gauss-Newton method: it linearises the values in the weights, solves the logistic regression of the linear
form within the bounds, and repeats both steps. Differences in strength between players are part of the
regression. Otherwise all moves of strong players would seem good. Former weights are part of it as well: the
distance of a weight from its former value has a normal distribution. Therefore a weight moves little with few
games, and further with many games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, diags_array, hstack
from scipy.special import expit

from arena.learning.samples import Design, Numbers, log_losses
from arena.learning.values import Valuing
from searcher.interface import Weight

_ROUNDS = 12
"""The most linearisations of a fit."""

_ENOUGH = 1e-6
"""The fit ends after a round that reduces the loss by less than this share of the loss."""

_STEP = 0.005
"""The change of a weight by which its slope is measured, as a share of the weight's range."""

DEVIATION = 0.2
"""The standard deviation of a weight from its former value, before any game, as a share of its range."""

_STRENGTH_PENALTY = 1e-4
"""The loss has this factor times sum(strengths ** 2), because few games leave some undetermined."""

_MOST_SCALE = 64.0


@dataclass(frozen=True, slots=True)
class Model:
    """Weights by name, the scale of values, and the strength of each player except the most frequent one."""

    weights: Mapping[str, float]
    scale: float
    strengths: Numbers


@dataclass(frozen=True, slots=True)
class Linear:
    """Values near some weights, as `values + slopes @ change`. `slopes` is by sample and weight."""

    values: Numbers
    slopes: NDArray[np.float32]


def chances_of(model: Model, values: Numbers, design: Design) -> Numbers:
    """Return for each sample the chance to win that a model forecasts from the sample's value."""
    chances: Numbers = expit(model.scale * values + design.strengths @ model.strengths)
    return chances


def linearised(values: Valuing, declared: Sequence[Weight], weights: Mapping[str, float]) -> Linear:
    """Return the values near the weights, by differences within their bounds."""
    sets = [dict(weights)]
    for weight in declared:
        step, at = _STEP * (weight.maximum - weight.minimum), weights[weight.name]
        sets.append({**weights, weight.name: min(at + step, weight.maximum)})
        sets.append({**weights, weight.name: max(at - step, weight.minimum)})
    found = values(sets)
    widths = [
        after[weight.name] - before[weight.name]
        for weight, after, before in zip(declared, sets[1::2], sets[2::2], strict=True)
    ]
    slopes = (found[1::2] - found[2::2]) / np.array(widths, dtype=np.float32)[:, None]
    return Linear(found[0].astype(np.float64), np.ascontiguousarray(slopes.T))


def scaled(weights: Mapping[str, float], values: Numbers, design: Design) -> Model:
    """Return a model with these weights, and with the scale and strengths that forecast the targets best."""
    slopes = np.zeros((len(values), 1), dtype=np.float32)
    slopes[:, 0] = values
    players = design.strengths.shape[1]
    start, bounds = np.zeros(1 + players), [(0.0, _MOST_SCALE)] + [(None, None)] * players
    start[0] = 1.0
    found = _regression(Linear(np.zeros(len(values)), slopes), 1.0, design, start, bounds)
    return Model(weights, float(found[0]), found[1:])


@dataclass(frozen=True, slots=True)
class Prior:
    """The knowledge of weights before any game: their former values, and the deviation of each."""

    weights: Numbers
    deviations: Numbers
    games: int

    def penalty(self, weights: Numbers) -> tuple[float, Numbers]:
        """Return sum(((weights - former) / deviations) ** 2) / (2 * games), and the derivative by weight."""
        away = (weights - self.weights) / self.deviations
        slope: Numbers = away / self.deviations / self.games
        return float(away @ away) / 2.0 / self.games, slope


def prior_of(
    declared: Sequence[Weight], start: Mapping[str, float], design: Design, deviation: float
) -> Prior:
    """Return the prior: its means are the weights `start`, and each deviation is `deviation` * range."""
    ranges = np.array([weight.maximum - weight.minimum for weight in declared])
    return Prior(_in_order(declared, start), deviation * ranges, len(np.unique(design.games)))


def fitted_model(
    values: Valuing,
    declared: Sequence[Weight],
    start: Mapping[str, float],
    design: Design,
    deviation: float = DEVIATION,
) -> Model:
    """Return the most likely model near the weights `start`. It keeps the scale of these weights.

    A larger scale with smaller weights forecasts the same. The fixed scale keeps the weights comparable.
    """
    prior = prior_of(declared, start, design, deviation)
    at_start = values([start])[0].astype(np.float64)
    model = scaled(start, at_start, design)
    linear = linearised(values, declared, model.weights)
    loss = loss_of(model, linear.values, design) + prior.penalty(_in_order(declared, model.weights))[0]
    for _ in range(_ROUNDS):
        better = _step(values, declared, model, linear, loss, design, prior)
        if better is None:
            break
        model, new = better
        linear = linearised(values, declared, model.weights)
        is_last, loss = loss - new < _ENOUGH * loss, new
        if is_last:
            break
    return model


def _step(
    values: Valuing,
    declared: Sequence[Weight],
    model: Model,
    linear: Linear,
    loss: float,
    design: Design,
    prior: Prior,
) -> tuple[Model, float] | None:
    """Return a better model and its loss, or None if no step towards the linear optimum is better."""
    at = _in_order(declared, model.weights)
    bounds: list[tuple[float | None, float | None]] = [
        (weight.minimum - here, weight.maximum - here) for weight, here in zip(declared, at, strict=True)
    ]
    bounds += [(None, None)] * len(model.strengths)
    start = np.concatenate([np.zeros(len(at)), model.strengths])
    found = _regression(linear, model.scale, design, start, bounds, (prior, at))
    change, strengths = found[: len(at)], found[len(at) :]
    for share in (1.0, 0.5, 0.25, 0.125):
        moved = at + share * change
        weights = {weight.name: float(value) for weight, value in zip(declared, moved, strict=True)}
        there = values([weights])[0].astype(np.float64)
        new = Model(weights, model.scale, model.strengths + share * (strengths - model.strengths))
        new_loss = loss_of(new, there, design) + prior.penalty(moved)[0]
        if new_loss < loss:
            return new, new_loss
    return None


def _regression(
    linear: Linear,
    scale: float,
    design: Design,
    start: Numbers,
    bounds: Sequence[tuple[float | None, float | None]],
    prior: tuple[Prior, Numbers] | None = None,
) -> Numbers:
    """Return the changes of the weights and the strengths that forecast the targets best.

    `prior` includes the weights before their changes.
    """
    slopes, weights, samples = linear.slopes, linear.slopes.shape[1], len(linear.values)

    def loss_and_gradient(at: Numbers) -> tuple[float, Numbers]:
        change, strengths = at[:weights].astype(np.float32), at[weights:]
        chances = expit(scale * (linear.values + slopes @ change) + design.strengths @ strengths)
        loss = float(np.mean(log_losses(chances, design.targets))) + _penalty(strengths)
        errors = (chances - design.targets) / samples
        by_weight = scale * (slopes.T @ errors.astype(np.float32)).astype(np.float64)
        if prior:
            penalty, slope = prior[0].penalty(prior[1] + at[:weights])
            loss, by_weight = loss + penalty, by_weight + slope
        by_strength = design.strengths.T @ errors + 2.0 * _STRENGTH_PENALTY * strengths
        return loss, np.concatenate([by_weight, by_strength])

    found = minimize(loss_and_gradient, start, jac=True, method="L-BFGS-B", bounds=bounds)
    solution: Numbers = found.x
    return solution


def _in_order(declared: Sequence[Weight], weights: Mapping[str, float]) -> Numbers:
    return np.array([weights[weight.name] for weight in declared])


def loss_of(model: Model, values: Numbers, design: Design) -> float:
    """Return the mean loss of a model's forecasts, with the penalty of its strengths."""
    losses = log_losses(chances_of(model, values, design), design.targets)
    return float(np.mean(losses)) + _penalty(model.strengths)


def _penalty(strengths: Numbers) -> float:
    return _STRENGTH_PENALTY * float(strengths @ strengths)


def standard_errors(model: Model, linear: Linear, declared: Sequence[Weight], design: Design) -> Numbers:
    """Return the standard error of each weight, NaN if the weight is at a bound or has no effect on values.

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
    """Return the mask of the weights that are within their bounds and have an effect."""
    within = [weight.minimum < model.weights[weight.name] < weight.maximum for weight in declared]
    differs: NDArray[np.bool_] = np.abs(linear.slopes).max(axis=0) > 0.0
    return np.array(within) & differs
