"""A fit finds the weights by which games were made up, and says how certain they are."""

from pathlib import Path

import numpy as np
import pytest

from arena.learning.samples import design_of
from arena.learning.texel import Model, fitted_model, linearised, standard_errors
from arena.learning.values import Values
from tests.arena.learning.setups import TWO, defaults, made_up


def product(model: Model, name: str) -> float:
    """A weight times the scale, which does not depend on the scale that a fit has chosen."""
    return model.scale * model.weights[name]


@pytest.mark.rest("simulations")
def test_known_weights_are_found(tmp_path: Path) -> None:
    """Those that the games were made from, in the same proportions and with the same chances."""
    columns = made_up(tmp_path, 3000, health=1.0, length=0.5)
    values, design = Values(columns, TWO), design_of(columns, 1.0)
    model = fitted_model(values, TWO.weights, defaults(), design)
    errors = model.scale * standard_errors(
        model, linearised(values, TWO.weights, model.weights), TWO.weights, design
    )
    for name, true, error in zip(("health", "length"), (2.0, 1.0), errors, strict=False):
        assert abs(product(model, name) - true) < 3.5 * error < 1.0


def test_a_weight_without_an_effect_stays(tmp_path: Path) -> None:
    """Its error is unknown."""
    columns = made_up(tmp_path, 200, health=1.0, length=0.5)
    values, design = Values(columns, TWO), design_of(columns, 1.0)
    model = fitted_model(values, TWO.weights, defaults(), design)
    assert model.weights["nothing"] == defaults()["nothing"]
    linear = linearised(values, TWO.weights, model.weights)
    assert np.isnan(standard_errors(model, linear, TWO.weights, design)).tolist() == [False, False, True]


def test_few_games_move_a_weight_less_than_many(tmp_path: Path) -> None:
    """And the less, the surer one was of it before."""
    moved = {}
    for games, deviation in ((100, 0.002), (100, 0.2), (3000, 0.002)):
        folder = tmp_path / f"{games}-{deviation}"
        folder.mkdir()
        columns = made_up(folder, games, health=1.5, length=0.5)
        values, design = Values(columns, TWO), design_of(columns, 1.0)
        model = fitted_model(values, TWO.weights, defaults(), design, deviation)
        moved[games, deviation] = model.weights["health"] - defaults()["health"]
    assert 0 < 2 * moved[100, 0.002] < min(moved[100, 0.2], moved[3000, 0.002])


def test_a_stronger_player_is_no_better_position(tmp_path: Path) -> None:
    """Its strength is found, and the weights are those of equal players."""
    columns = made_up(tmp_path, 4000, health=1.0, length=0.5, strength=1.0)
    values, design = Values(columns, TWO), design_of(columns, 1.0)
    model = fitted_model(values, TWO.weights, defaults(), design)
    # One of the two players has the strength 0.
    [strength] = model.strengths
    assert abs(abs(strength) - 1.0) < 0.25
    assert abs(product(model, "health") - 2.0) < 0.5
