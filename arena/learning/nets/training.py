"""Trains a net with JAX: the logistic function of its value forecasts who wins, or what searches find.

As in a fit, differences in strength between players are part of the forecast.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from arena.learning.nets.inputs import Inputs
from arena.learning.samples.design import Design
from searcher.engine.features.net_weights import Layers, layers_from

_BATCH = 4096
"""Samples for a step."""

_RATE = 5e-3
"""The first rate of learning; it falls to 0 along a half cosine."""

_SHRINKING = 1e-3
"""By how much AdamW makes weights smaller, as a share of the rate of learning."""

_PENALTY = 1e-4
"""Times the sum of the squares of the strengths, is added to the loss: few games leave some undetermined."""

DECIMALS = 5
"""The decimals of a weight."""

Parameters = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Course:
    """How to train."""

    units: int
    """Of the hidden layer."""
    epochs: int
    """Passes over the samples."""
    decay: float
    """The lambda of the targets."""
    seed: int


OnEpoch = Callable[[int, float], None]
"""Receives how many epochs are done, and the mean loss of the last one, in nats."""


def train(inputs: Inputs, design: Design, course: Course, on_epoch: OnEpoch) -> Layers:
    """Return a net whose values, as log-odds, forecast the targets."""
    strengths = design.strengths.toarray().astype(np.float32)
    targets = design.targets.astype(np.float32)
    # What is the same in all samples may differ in a search, and nothing is known of it.
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
        # Half way between the ends at which a unit no longer learns.
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
