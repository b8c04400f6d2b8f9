"""The fit of an evaluator to a folder of data, and all that is known of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.data.columns import Columns
from arena.learning.fits.errors import standard_errors
from arena.learning.fits.texel import DEVIATION, Model, chances_of, fit, linearised
from arena.learning.fits.validation import CalibrationBin, Validation, calibration, cross_validated
from arena.learning.samples.design import Design, design_of, most_frequent
from arena.learning.samples.numbers import Numbers, log_losses
from arena.learning.samples.values import Values
from searcher.interface import Evaluator, Weight

_DECIMALS = 4
"""The decimals of a weight in a file."""


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """A weight before and after a fit.

    `error` is the standard error, NaN for a weight at a bound or without an effect. `worth` is by how much
    the loss grows, in nats, if the weight is 0 instead, or the bound that is nearest to it.
    """

    declared: Weight
    former: float
    value: float
    error: float
    worth: float


@dataclass(frozen=True, slots=True)
class Fit:
    """A fit and what it is worth."""

    evaluator: str
    games: int
    positions: int
    weights: Sequence[FittedWeight]
    scale: float
    strengths: Mapping[str, float]
    """By player, as the logarithm of the odds against the most frequent one."""
    validation: Validation
    calibration: Sequence[CalibrationBin]

    @property
    def by_name(self) -> dict[str, float]:
        """The fitted weights, with the digits that matter."""
        return {weight.declared.name: round(weight.value, _DECIMALS) for weight in self.weights}


def fit_evaluator(
    columns: Columns,
    evaluator: Evaluator,
    start: Mapping[str, float],
    decay: float,
    deviation: float = DEVIATION,
) -> Fit:
    """Fit the weights of an evaluator, beginning with those of the start.

    `decay` is the lambda of the targets, 1 for outcomes alone; `deviation` is how far from its
    start a weight is likely to be, as a share of its range. Raises BadDataError if the data can't be fitted.
    """
    values, design = Values(columns, evaluator), design_of(columns, decay)
    model = fit(values, evaluator.weights, start, design, deviation)
    validation = cross_validated(values, evaluator.weights, start, design, deviation, model.weights)
    return Fit(
        evaluator=evaluator.name,
        games=len(columns.game.names),
        positions=len(columns),
        weights=_weights(values, evaluator.weights, start, model, design),
        scale=model.scale,
        strengths=_strengths(columns, model),
        validation=validation,
        calibration=calibration(validation.chances, design.outcomes),
    )


def _weights(
    values: Values, declared: Sequence[Weight], start: Mapping[str, float], model: Model, design: Design
) -> list[FittedWeight]:
    linear = linearised(values, declared, model.weights)
    errors = standard_errors(model, linear, declared, design)
    without = values.of([{**model.weights, weight.name: weight.nearest_to_zero} for weight in declared])
    loss = _loss(model, linear.values, design)
    return [
        FittedWeight(
            weight,
            start[weight.name],
            model.weights[weight.name],
            float(error),
            _loss(model, there.astype(np.float64), design) - loss,
        )
        for weight, error, there in zip(declared, errors, without, strict=True)
    ]


def _loss(model: Model, values: Numbers, design: Design) -> float:
    return float(log_losses(chances_of(model, values, design), design.targets).mean())


def _strengths(columns: Columns, model: Model) -> dict[str, float]:
    player = columns.snakes.player
    frequent = most_frequent(player)
    others = [name for code, name in enumerate(player.names) if code != frequent]
    return {player.names[frequent]: 0.0, **dict(zip(others, map(float, model.strengths), strict=True))}
