"""The module in which a plug-in has the weights of a net, and what is refused."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from searcher.engine.features.net_weights import FORMAT, Layers, digest_of, layers_of
from searcher.engine.features.terms import Terms

UNITS = 3


def module(**changes: Any) -> SimpleNamespace:
    """Return a module of weights, with some of its names changed after the digest was made."""
    random = np.random.default_rng(1)
    shapes = ((len(Terms._fields), UNITS), UNITS, UNITS, len(Terms._fields))
    inward, biases, outward, direct = (random.normal(size=shape).astype(np.float32) for shape in shapes)
    layers = Layers(inward, biases, outward, direct, np.float32(0.5))
    named = {name.upper(): value.tolist() for name, value in layers._asdict().items()}
    return SimpleNamespace(
        **{"FORMAT": FORMAT, "TERMS": Terms._fields, "DIGEST": digest_of(layers), **named, **changes}
    )


def test_weights_are_arrays_of_float32() -> None:
    """By the names of the module."""
    layers = layers_of(module())
    assert layers.inward.shape == (len(Terms._fields), UNITS) and layers.bias == np.float32(0.5)
    assert {array.dtype for array in layers} == {np.dtype(np.float32)}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"FORMAT": 0}, "FORMAT is 0; this release reads 1: train the net again"),
        ({"TERMS": Terms._fields[1:]}, "TERMS are not those of this release: train the net again"),
        ({"BIASES": [0.0] * 4}, "INWARD, BIASES and OUTWARD are not of the same number of units"),
        ({"DIRECT": [0.0]}, "DIRECT has 1 numbers; there are 17 terms"),
        ({"BIAS": 0.25}, "DIGEST is .*, and that of the weights .*: they were changed"),
    ],
)
def test_other_modules_are_refused(changes: dict[str, Any], message: str) -> None:
    """The error says what differs."""
    with pytest.raises(ValueError, match=message):
        layers_of(module(**changes))
