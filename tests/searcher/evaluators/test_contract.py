"""The contract of every evaluator."""

import ctypes
import math
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import MAX_WEIGHTS, WEIGHTS_DTYPE, Packed
from searcher.engine.search import kernels
from searcher.engine.search.score import HEURISTIC_LIMIT, heuristic
from searcher.interface import Evaluator
from searcher.plugins.discovery import discover_evaluators
from searcher.textbook.battlesnake import Battlesnake
from tests.searcher.engine.positions import board_of, random_position, randoms, recorded_positions
from tests.searcher.engine.searches import EVALUATORS as PLAIN

EVALUATORS = discover_evaluators().evaluators


@pytest.fixture(params=EVALUATORS)
def evaluator(request: pytest.FixtureRequest) -> Evaluator:
    """Each evaluator of this project."""
    return EVALUATORS[request.param]


def value(evaluator: Evaluator, packed: Packed, weights: Sequence[float], snake: int) -> float:
    """Return the compiled evaluator's value of a board."""
    values = np.zeros(1, dtype=WEIGHTS_DTYPE)
    values["values"][0, : len(weights)] = weights
    address = kernels.evaluator_function(evaluator.evaluate, packed.shape).address
    prototype = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_void_p] * 3, ctypes.c_int64)
    return float(
        prototype(address)(packed.game.ctypes.data, packed.board.ctypes.data, values.ctypes.data, snake)
    )


def test_evaluators_are_found() -> None:
    """All evaluators of this project are found by the names of their files, without a fault."""
    assert {"area", "balanced", "hungry", "length", "solo"} <= set(EVALUATORS)
    assert discover_evaluators().faults == ()
    assert all(name == evaluator.name for name, evaluator in EVALUATORS.items())


def test_weights(evaluator: Evaluator) -> None:
    """Weights have unique names and defaults within finite bounds, and there are at most MAX_WEIGHTS."""
    names = [weight.name for weight in evaluator.weights]
    assert len(set(names)) == len(names) <= MAX_WEIGHTS
    for weight in evaluator.weights:
        assert weight.name.isidentifier()
        assert -math.inf < weight.minimum <= weight.default <= weight.maximum < math.inf


def test_values_on_recorded_boards(evaluator: Evaluator) -> None:
    """On boards of real games every living snake has a finite value, with default and extreme weights."""
    choices = [
        [weight.default for weight in evaluator.weights],
        [weight.minimum for weight in evaluator.weights],
        [weight.maximum for weight in evaluator.weights],
    ]
    for position in recorded_positions(every=11):
        packed = pack(position)
        before = packed.board.tobytes(), packed.game.tobytes()
        for snake in range(len(position.snakes)):
            for weights in choices:
                found = value(evaluator, packed, weights, snake)
                assert math.isfinite(found)
                assert abs(heuristic(found)) < HEURISTIC_LIMIT
        assert (packed.board.tobytes(), packed.game.tobytes()) == before


@pytest.mark.parametrize("name", PLAIN)
@settings(max_examples=60)
@given(random=randoms())
def test_values_match_the_formula(name: str, random: Random) -> None:
    """The values are exactly equal on boards of any size with any number of snakes."""
    position, each = random_position(random, parts=(2, 12)), EVALUATORS[name]
    weights = [weight.default for weight in each.weights]
    for you in range(len(position.snakes)):
        found = min(max(value(each, pack(position), weights, you), -1.0), 1.0)
        assert found == PLAIN[name](Battlesnake(board_of(position)), you)
