"""Forecasts of games that a fit has not seen."""

from pathlib import Path

import numpy as np

from arena.learning.fit import calibration, cross_validated
from arena.learning.samples import SPLITS, Design, design_of, log_losses
from arena.learning.values import Values
from tests.arena.learning.setups import TWO, defaults, made_up


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


def test_a_fit_of_noise_is_no_gain(tmp_path: Path) -> None:
    """Its forecasts of unseen games are no better than even chances."""
    values, design = loaded(tmp_path, 300, health=0.0, length=0.0)
    found = cross_validated(values, TWO.weights, defaults(), design)
    assert found.gain.low < 0 and found.loss > np.log(2) - 0.001


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


def test_calibration_compares_forecasts_with_outcomes() -> None:
    """From the lowest forecasts to the highest, in bins of as many samples."""
    low, high = calibration(np.array([0.9, 0.1, 0.2, 0.7]), np.array([1.0, 0.0, 1.0, 1.0]), bins=2)
    assert (low.forecast, low.outcome, low.samples) == (0.15000000000000002, 0.5, 2)
    assert (high.forecast, high.outcome) == (0.8, 1.0)
