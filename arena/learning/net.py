"""Trains a net with JAX, and writes it as a package that the searcher discovers as a plug-in.

The logistic function of its value forecasts the outcome, or the scores of searches. As in a fit, differences
in strength between players are part of the forecast.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from pprint import pformat
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from numpy.typing import NDArray

from arena.data.files import BadDataError, Columns
from arena.learning.samples import SPLITS, Design, Numbers, design_of
from arena.learning.texel import chances_of, scaled
from arena.learning.validation import CalibrationBin, Validation, calibration, compared
from arena.learning.values import Inputs, Values, inputs_of
from searcher.engine.features.net_weights import FORMAT, Layers, digest_of, layers_from
from searcher.engine.features.terms import Terms
from searcher.interface import Evaluator

_BATCH = 4096
"""Samples for a step."""

_RATE = 5e-3
"""The first learning rate. It falls to 0 along a half cosine."""

_SHRINKING = 1e-3
"""The weight decay of AdamW, as a share of the learning rate."""

_PENALTY = 1e-4
"""The loss has this factor times sum(strengths ** 2), because few games leave some undetermined."""

DECIMALS = 5
"""The number of decimals of a weight."""

Parameters = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Course:
    """The settings of a training."""

    units: int
    """The number of units of the hidden layer."""
    epochs: int
    """The number of passes over the samples."""
    decay: float
    """The lambda of the targets."""
    seed: int = 1
    """The seed of the first weights and of the order of samples."""


OnEpoch = Callable[[int, float], None]
"""Receives the number of finished epochs, and the mean loss of the last epoch, in nats."""


def train(inputs: Inputs, design: Design, course: Course, on_epoch: OnEpoch) -> Layers:
    """Return a net that forecasts the targets: each chance is the logistic function of the net's value."""
    strengths = design.strengths.toarray().astype(np.float32)
    targets = design.targets.astype(np.float32)
    # A term with the same value in all samples may differ in a search, and its effect is unknown.
    varies = jnp.asarray(np.ptp(inputs, axis=0) > 0.0, dtype=jnp.float32)
    random = np.random.default_rng(course.seed)
    steps = course.epochs * max(1, len(targets) // _BATCH)
    optimizer = optax.adamw(optax.cosine_decay_schedule(_RATE, steps), weight_decay=_SHRINKING)
    parameters = _start(inputs.shape[1], strengths.shape[1], course)
    state = optimizer.init(parameters)

    @jax.jit
    def step(parameters: Parameters, state: Any, batch: Any) -> tuple[Parameters, Any, Any]:
        loss, slopes = jax.value_and_grad(_loss)(parameters, varies, *batch)
        updates, state = optimizer.update(slopes, state, parameters)
        return optax.apply_updates(parameters, updates), state, loss

    for epoch in range(course.epochs):
        losses = []
        for chosen in _batches(len(targets), random):
            batch = inputs[chosen], strengths[chosen], targets[chosen]
            parameters, state, loss = step(parameters, state, batch)
            losses.append(loss)
        on_epoch(epoch + 1, float(np.mean(losses)))
    return _layers(parameters, varies)


def _start(terms: int, players: int, course: Course) -> Parameters:
    inward = jax.random.normal(jax.random.key(course.seed), (terms, course.units)) / np.sqrt(terms)
    return {
        "inward": inward,
        # The middle between 0 and 1, beyond which a unit no longer learns.
        "biases": jnp.full(course.units, 0.5),
        "outward": jnp.zeros(course.units),
        "direct": jnp.zeros(terms),
        "bias": jnp.zeros(()),
        "strengths": jnp.zeros(players),
    }


def _loss(parameters: Parameters, varies: Any, inputs: Any, strengths: Any, targets: Any) -> Any:
    inputs = inputs * varies
    hidden = jnp.clip(inputs @ parameters["inward"] + parameters["biases"], 0.0, 1.0)
    values = hidden @ parameters["outward"] + inputs @ parameters["direct"] + parameters["bias"]
    forecasts = values + strengths @ parameters["strengths"]
    losses = optax.sigmoid_binary_cross_entropy(forecasts, targets)
    return jnp.mean(losses) + _PENALTY * jnp.sum(parameters["strengths"] ** 2)


def _batches(samples: int, random: np.random.Generator) -> Iterator[Any]:
    order = random.permutation(samples)
    for start in range(0, max(1, samples - _BATCH + 1), _BATCH):
        yield order[start : start + _BATCH]


def _layers(parameters: Parameters, varies: Any) -> Layers:
    inward, direct = parameters["inward"] * varies[:, None], parameters["direct"] * varies
    arrays = (inward, parameters["biases"], parameters["outward"], direct, parameters["bias"])
    return layers_from([np.asarray(array, np.float64).round(DECIMALS) for array in arrays])


OnEpochOf = Callable[[str, int, float], None]
"""Receives the games of the training, the number of finished epochs, and the last mean loss in nats."""


@dataclass(frozen=True, slots=True)
class Net:
    """A trained net and its worth on unseen games."""

    layers: Layers
    course: Course
    source: str
    """The folders of the data."""
    games: int
    positions: int
    players: Sequence[str]
    linear: str
    """The evaluator with which the net is compared."""
    losses: Sequence[float]
    """The loss of the training on all games, by epoch, in nats."""
    validation: Validation
    """The forecasts of one fifth of the games by a net trained on the other games, compared with `linear`."""
    calibration: Sequence[CalibrationBin]


def train_net(columns: Columns, linear: Evaluator, course: Course, on_epoch: OnEpochOf) -> Net:
    """Train a net on four fifths of the games, forecast the other fifth, and train a net on all games.

    `linear` with its default weights forecasts the same games. Raises BadDataError if the data can't be
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
    """Return the chances to win in unseen games. Scale and strengths are fitted to the other games."""
    model = scaled({}, values[~unseen], design.chosen(~unseen))
    return chances_of(model, values[unseen], design.chosen(unseen))


_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TEMPLATES = Path(__file__).parent / "template"
_WIDTH = 100


def check_name(name: str) -> None:
    """Raise ValueError if an evaluator's package can't have this name."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"--name {name}: valid are small letters, digits and _, with a letter first")


def write_package(folder: Path, name: str, net: Net, licence: str) -> None:
    """Write the package of an evaluator. The files of a former net are replaced. Raises OSError."""
    module = f"battlesnake_{name}"
    package = folder / module
    package.mkdir(parents=True, exist_ok=True)
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    given = _given(name, module, net, licence)
    for template, path in (
        ("pyproject.toml.jinja", folder / "pyproject.toml"),
        ("README.md.jinja", folder / "README.md"),
        ("weights.py.jinja", package / "weights.py"),
        ("evaluator.py.jinja", package / "__init__.py"),
    ):
        new = path.with_name(f".{path.name}.new")
        new.write_text(templates.get_template(template).render(given), encoding="utf-8")
        new.replace(path)


def _given(name: str, module: str, net: Net, licence: str) -> dict[str, Any]:
    """Return the variables of the templates."""
    data = {
        "source": net.source,
        "games": net.games,
        "positions": net.positions,
        "players": sorted(net.players),
        **asdict(net.course),
        "unseen_loss": round(net.validation.loss, 5),
        "unseen_loss_of_linear": round(net.validation.former_loss, 5),
    }
    return {
        "name": name,
        "module": module,
        "description": f"A net of {len(net.layers.biases)} hidden units over the terms of a position.",
        "licence": licence,
        "format": FORMAT,
        "digest": digest_of(net.layers),
        "facts": data,
        "data": pformat(data, sort_dicts=False, width=_WIDTH),
        "terms": pformat(Terms._fields, width=_WIDTH),
        **{field: _text(value) for field, value in net.layers._asdict().items()},
    }


def _text(values: NDArray[np.float32]) -> str:
    """Return numbers as Python writes nested tuples."""
    if values.ndim == 0:
        return f"{values:.{DECIMALS}f}"
    return f"({', '.join(_text(value) for value in values)},)"
