"""The fit of an evaluator to data, and the worth of the fit on unseen games by cross-validation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.data.files import Columns
from arena.learning.samples import QUANTILE, SPLITS, Design, Numbers, design_of, log_losses
from arena.learning.texel import (
    DEVIATION,
    Model,
    chances_of,
    fitted_model,
    linearised,
    loss_of,
    scaled,
    standard_errors,
)
from arena.learning.values import Values, Valuing, chosen
from battlesnake_search.common.estimation import Estimate
from searcher.interface import Evaluator, Weight


@dataclass(frozen=True, slots=True)
class Validation:
    """Forecasts of unseen games. Losses are means over all samples, in nats."""

    loss: float
    former_loss: float
    gain: Estimate
    """The loss of the former weights minus the loss of the fitted weights, with an interval over games."""
    chances: Numbers
    """The forecasts of the fitted weights, by sample."""


def _gain(gains: Numbers, games: NDArray[np.int64]) -> Estimate:
    """Return the mean gain of a sample. Its interval treats games as independent, but not their samples."""
    mean = float(gains.mean())
    sums = np.bincount(games, gains - mean)
    margin = QUANTILE * float(np.sqrt(np.sum(sums * sums))) / len(gains)
    return Estimate(mean, mean - margin, mean + margin)


def cross_validated(
    values: Valuing,
    declared: Sequence[Weight],
    start: Mapping[str, float],
    design: Design,
    deviation: float = DEVIATION,
) -> Validation:
    """Forecast each part of the games by fits to the other parts: of all weights, and of the scale alone."""
    chances, former = np.zeros(len(design.targets)), np.zeros(len(design.targets))
    for part in range(SPLITS):
        unseen = design.folds % SPLITS == part
        if not unseen.any() or unseen.all():
            continue
        seen, rest = chosen(values, ~unseen), design.chosen(~unseen)
        at_start = seen([start])[0].astype(np.float64)
        for model, forecasts in (
            (fitted_model(seen, declared, start, rest, deviation), chances),
            (scaled(start, at_start, rest), former),
        ):
            forecasts[unseen] = _forecasts(model, chosen(values, unseen), design.chosen(unseen))
    losses, former_losses = log_losses(chances, design.outcomes), log_losses(former, design.outcomes)
    gain = _gain(former_losses - losses, design.games)
    return Validation(float(losses.mean()), float(former_losses.mean()), gain, chances)


def _forecasts(model: Model, values: Valuing, design: Design) -> Numbers:
    return chances_of(model, values([model.weights])[0].astype(np.float64), design)


_DECIMALS = 4
"""The decimals of a weight in a file."""


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """A weight before and after a fit.

    `error` is the standard error, NaN for a weight at a bound or without an effect. `worth`, in nats, is
    the loss with the weight at 0, or at the bound nearest to 0, minus the loss with the fitted weight.
    """

    declared: Weight
    former: float
    value: float
    error: float
    worth: float


@dataclass(frozen=True, slots=True)
class Fit:
    """A fit and its worth on unseen games."""

    evaluator: str
    games: int
    positions: int
    weights: Sequence[FittedWeight]
    scale: float
    validation: Validation

    @property
    def by_name(self) -> dict[str, float]:
        """The fitted weights by name, rounded to the digits that matter."""
        return {weight.declared.name: round(weight.value, _DECIMALS) for weight in self.weights}


def fit_evaluator(
    columns: Columns,
    evaluator: Evaluator,
    start: Mapping[str, float],
    decay: float,
    deviation: float = DEVIATION,
) -> Fit:
    """Fit the weights of an evaluator, beginning with the weights `start`.

    `decay` is the lambda of the targets, 1 for outcomes alone. `deviation` is the standard deviation of a
    weight from its start, as a share of the weight's range. Raises BadDataError if the data can't be fitted.
    """
    values, design = Values(columns, evaluator), design_of(columns, decay)
    model = fitted_model(values, evaluator.weights, start, design, deviation)
    return Fit(
        evaluator=evaluator.name,
        games=len(columns.game.names),
        positions=len(columns),
        weights=_weights(values, evaluator.weights, start, model, design),
        scale=model.scale,
        validation=cross_validated(values, evaluator.weights, start, design, deviation),
    )


def _weights(
    values: Values, declared: Sequence[Weight], start: Mapping[str, float], model: Model, design: Design
) -> list[FittedWeight]:
    linear = linearised(values, declared, model.weights)
    errors = standard_errors(model, linear, declared, design)
    without = values([{**model.weights, weight.name: weight.nearest_to_zero} for weight in declared])
    loss = loss_of(model, linear.values, design)
    return [
        FittedWeight(
            weight,
            start[weight.name],
            model.weights[weight.name],
            float(error),
            loss_of(model, there.astype(np.float64), design) - loss,
        )
        for weight, error, there in zip(declared, errors, without, strict=True)
    ]
