"""A net that was trained on data, and what it is worth on games that it has not seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.data.columns import Columns
from arena.data.parts import BadDataError
from arena.learning.fits.texel import chances_of, scaled
from arena.learning.fits.validation import CalibrationBin, Validation, calibration, compared
from arena.learning.nets.inputs import Inputs, inputs_of
from arena.learning.nets.training import Course, train
from arena.learning.samples.design import SPLITS, Design, design_of
from arena.learning.samples.numbers import Numbers
from arena.learning.samples.values import Values
from searcher.engine.features.net_weights import Layers
from searcher.interface import Evaluator

OnEpoch = Callable[[str, int, float], None]
"""Receives which games are learned from, how many epochs are done, and the mean loss of the last, in nats."""


@dataclass(frozen=True, slots=True)
class Net:
    """A trained net and what it is worth."""

    layers: Layers
    course: Course
    source: str
    """The folders of the data."""
    games: int
    positions: int
    players: Sequence[str]
    linear: str
    """The evaluator that the net is compared with."""
    losses: Sequence[float]
    """By epoch, of the training on all games, in nats."""
    validation: Validation
    """Of a net that learned from four fifths of the games, on the other fifth, beside a linear evaluator."""
    calibration: Sequence[CalibrationBin]


def train_net(columns: Columns, linear: Evaluator, course: Course, on_epoch: OnEpoch) -> Net:
    """Train a net on four fifths of the games and forecast the other fifth; then train one on all games.

    `linear` with its default weights makes the same forecast. Raises BadDataError if the data can't be
    learned from.
    """
    inputs, design = inputs_of(columns), design_of(columns, course.decay)
    unseen = design.folds % SPLITS == 0
    if not unseen.any() or unseen.all():
        raise BadDataError(f"{columns.source}: too few games to learn from some and to forecast the others")
    part = train(inputs[~unseen], design.chosen(~unseen), course, lambda *at: on_epoch("four fifths", *at))
    chances = _forecasts(values_of(part, inputs), design, unseen)
    defaults = {weight.name: weight.default for weight in linear.weights}
    former = _forecasts(Values(columns, linear).of([defaults])[0].astype(np.float64), design, unseen)
    losses: list[float] = []

    def on_loss(epoch: int, loss: float) -> None:
        losses.append(loss)
        on_epoch("all", epoch, loss)

    layers = train(inputs, design, course, on_loss)
    return Net(
        layers=layers,
        course=course,
        source=columns.source,
        games=len(columns.game.names),
        positions=len(columns),
        players=columns.snakes.player.names,
        linear=linear.name,
        losses=losses,
        validation=compared(chances, former, design.chosen(unseen)),
        calibration=calibration(chances, design.outcomes[unseen]),
    )


def values_of(layers: Layers, inputs: Inputs) -> Numbers:
    """Return the value of each sample, in log-odds."""
    hidden = np.clip(inputs @ layers.inward + layers.biases, 0.0, 1.0)
    values: Numbers = hidden @ layers.outward + inputs @ layers.direct + layers.bias
    return values.astype(np.float64)


def _forecasts(values: Numbers, design: Design, unseen: NDArray[np.bool_]) -> Numbers:
    """Return the chances to win in unseen games, with the scale and the strengths that fit the others."""
    model = scaled({}, values[~unseen], design.chosen(~unseen))
    return chances_of(model, values[unseen], design.chosen(unseen))
