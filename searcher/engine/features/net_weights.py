"""The weights of a neural network over the terms, declared by a plug-in's module, and their checks."""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from searcher.engine.features.terms import Terms

FORMAT = 1
"""The version of the format of a plug-in's module."""


class Layers(NamedTuple):
    """A net with one hidden layer: all its numbers are float32.

    The value is `bias + direct @ terms + outward @ clip(biases + inward.T @ terms, 0, 1)`.
    """

    inward: NDArray[np.float32]
    """By term and unit."""
    biases: NDArray[np.float32]
    """By unit."""
    outward: NDArray[np.float32]
    """By unit."""
    direct: NDArray[np.float32]
    """By term."""
    bias: np.float32


def layers_of(module: Any) -> Layers:
    """Return the weights of a module with the names of Layers in capitals. Raises ValueError."""
    if module.FORMAT != FORMAT:
        raise ValueError(f"FORMAT is {module.FORMAT}; this release reads {FORMAT}: train the net again")
    if tuple(module.TERMS) != Terms._fields:
        raise ValueError("TERMS are not those of this release: train the net again")
    layers = layers_from((module.INWARD, module.BIASES, module.OUTWARD, module.DIRECT, module.BIAS))
    units, terms = len(layers.biases), len(Terms._fields)
    if layers.inward.shape != (terms, units) or layers.outward.shape != (units,):
        raise ValueError("INWARD, BIASES and OUTWARD are not of the same number of units")
    if layers.direct.shape != (terms,):
        raise ValueError(f"DIRECT has {len(layers.direct)} numbers; there are {terms} terms")
    if (digest := digest_of(layers)) != module.DIGEST:
        raise ValueError(f"DIGEST is {module.DIGEST}, and that of the weights {digest}: they were changed")
    return layers


def layers_from(values: Sequence[ArrayLike]) -> Layers:
    """Return layers of the numbers of the five fields, in their order."""
    inward, biases, outward, direct, bias = (np.asarray(each, dtype=np.float32) for each in values)
    return Layers(inward, biases, outward, direct, np.float32(bias))


def digest_of(layers: Layers) -> str:
    """Return a digest of the weights, the same on every machine."""
    digest = hashlib.sha256(",".join((str(FORMAT), *Terms._fields)).encode())
    for array in layers:
        digest.update(np.asarray(array, dtype="<f4").tobytes())
    return digest.hexdigest()[:16]
