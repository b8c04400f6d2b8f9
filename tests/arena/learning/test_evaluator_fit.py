"""A fit, its worth on unseen games, and its weights in a file."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.commands.fit import conclusion
from arena.learning.evaluator_fit import Fit, cross_validated, fit_evaluator
from arena.learning.samples import SPLITS, Design, design_of, log_losses
from arena.learning.values import Values
from battlesnake_search.common.estimation import Estimate
from tests.arena.learning.setups import TWO, defaults, made_up


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Fit:
    """A fit of made-up games between two players."""
    folder = tmp_path_factory.mktemp("data")
    columns = made_up(folder, 1000, health=1.0, length=0.5, strength=0.5)
    return fit_evaluator(columns, TWO, defaults(), 1.0)


def test_a_weight_that_matters_is_worth_something(found: Fit) -> None:
    """One without an effect is worth nothing, and stays as it was."""
    health, _, nothing = found.weights
    assert health.former == 0.1 < health.value and health.worth > 0.01
    assert nothing.value == nothing.former and nothing.worth == 0.0 and math.isnan(nothing.error)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.001, 0.003, "forecast better by the fitted weights than"),
        (-0.003, -0.001, "forecast worse by the fitted weights than"),
        (-0.001, 0.003, "don't tell whether the fitted weights or the former ones forecast"),
    ],
)
def test_the_conclusion_is_that_of_the_interval(found: Fit, low: float, high: float, words: str) -> None:
    """In thousandths of a nat."""
    gain = Estimate((low + high) / 2, low, high)
    text = conclusion(replace(found.validation, gain=gain))
    assert words in text and f"{1000 * gain.value:+.2f} ± {1000 * gain.margin:.2f} less" in text


def loaded(folder: Path, games: int, **game: float) -> tuple[Values, Design]:
    """The values and samples of made-up games."""
    columns = made_up(folder, games, **game)  # type: ignore[arg-type]
    return Values(columns, TWO), design_of(columns, 1.0)


def test_right_weights_forecast_unseen_games_better(tmp_path: Path) -> None:
    """Than others that rate health too low; the loss is that of the forecasts."""
    values, design = loaded(tmp_path, 2000, health=1.5, length=0.1)
    found = cross_validated(values, TWO.weights, defaults() | {"length": 1.0}, design)
    assert found.gain.low > 0
    assert found.loss == log_losses(found.chances, design.outcomes).mean()
    np.testing.assert_allclose(found.gain.value, found.former_loss - found.loss)


def test_a_forecast_knows_nothing_of_its_own_game(tmp_path: Path) -> None:
    """With other outcomes in a part of the games, the forecasts of that part stay as they are."""
    values, design = loaded(tmp_path, 200, health=1.0, length=0.5)
    part = design.folds % SPLITS == 0
    other = Design(
        np.where(part, 1.0 - design.targets, design.targets),
        *(getattr(design, name) for name in ("outcomes", "games", "folds", "strengths")),
    )
    first, second = (cross_validated(values, TWO.weights, defaults(), one) for one in (design, other))
    np.testing.assert_allclose(first.chances[part], second.chances[part])
    assert not np.allclose(first.chances[~part], second.chances[~part])
