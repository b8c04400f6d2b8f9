"""What a fit is worth on games that it has not seen: cross-validation by game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.learning.fits.texel import DEVIATION, Model, chances_of, fit, scaled
from arena.learning.samples.design import SPLITS, Design
from arena.learning.samples.numbers import QUANTILE, Numbers, log_losses
from arena.learning.samples.values import Chosen, Valuing
from battlesnake_search.common.estimation import Estimate
from searcher.interface import Weight


@dataclass(frozen=True, slots=True)
class Validation:
    """Forecasts of unseen games. Losses are means over all samples, in nats."""

    loss: float
    former_loss: float
    gain: Estimate
    """The former weights' loss less the fitted ones'. Its interval allows for a game's many positions."""
    chances: Numbers
    """The forecasts of the fitted weights, by sample."""


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Samples with similar forecasts: the mean forecast, the mean outcome, and their number."""

    forecast: float
    outcome: float
    samples: int


def cross_validated(
    values: Valuing,
    declared: Sequence[Weight],
    start: Mapping[str, float],
    design: Design,
    deviation: float = DEVIATION,
    nearby: Mapping[str, float] | None = None,
) -> Validation:
    """Forecast each part of the games by fits of the others: of the weights, and of the scale alone.

    `nearby` are the weights of a fit to all games, if there is one, from which the others have a short way.
    """
    chances, former = np.zeros(len(design.targets)), np.zeros(len(design.targets))
    for part in range(SPLITS):
        unseen = design.folds % SPLITS == part
        if not unseen.any() or unseen.all():
            continue
        seen, rest = Chosen(values, ~unseen), design.chosen(~unseen)
        at_start = seen.of([start])[0].astype(np.float64)
        for model, forecasts in (
            (fit(seen, declared, start, rest, deviation, nearby), chances),
            (scaled(start, at_start, rest), former),
        ):
            forecasts[unseen] = _forecasts(model, Chosen(values, unseen), design.chosen(unseen))
    return compared(chances, former, design)


def compared(chances: Numbers, former: Numbers, design: Design) -> Validation:
    """Compare two forecasts of the outcomes of the same samples."""
    losses, former_losses = log_losses(chances, design.outcomes), log_losses(former, design.outcomes)
    return Validation(
        float(losses.mean()),
        float(former_losses.mean()),
        _gain(former_losses - losses, design.games),
        chances,
    )


def calibration(chances: Numbers, outcomes: Numbers, bins: int = 20) -> list[CalibrationBin]:
    """Return bins with equally many samples, from the lowest forecasts to the highest."""
    order = np.argsort(chances, kind="stable")
    return [
        CalibrationBin(float(chances[part].mean()), float(outcomes[part].mean()), len(part))
        for part in np.array_split(order, bins)
        if len(part)
    ]


def _forecasts(model: Model, values: Valuing, design: Design) -> Numbers:
    return chances_of(model, values.of([model.weights])[0].astype(np.float64), design)


def _gain(gains: Numbers, games: NDArray[np.int64]) -> Estimate:
    """Return the mean gain of a sample. Games, not samples, are what is independent."""
    mean = float(gains.mean())
    sums = np.bincount(games, gains - mean)
    margin = QUANTILE * float(np.sqrt(np.sum(sums * sums))) / len(gains)
    return Estimate(mean, mean - margin, mean + margin)
