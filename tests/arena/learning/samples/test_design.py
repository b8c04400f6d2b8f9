"""The targets of a fit, and the strengths of its players."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.data.files import BadDataError, Columns
from arena.learning.samples import design_of
from tests.arena.learning.setups import made_up


def with_outcome(columns: Columns, outcome: float) -> Columns:
    """The same data, in which all snakes have one outcome."""
    same = np.full_like(columns.snakes.outcome, outcome)
    return replace(columns, snakes=replace(columns.snakes, outcome=same))


def test_outcomes_are_the_targets(tmp_path: Path) -> None:
    """Unless scores are asked for."""
    columns = made_up(tmp_path, 10, health=1.0, length=0.5)
    design = design_of(columns, 1.0)
    assert (design.targets == columns.snakes.outcome).all()
    assert len(set(design.games.tolist())) == 10


def test_outcomes_of_one_class_are_refused(tmp_path: Path) -> None:
    """Nothing can be learned from them."""
    columns = with_outcome(made_up(tmp_path, 10, health=1.0, length=0.5), 1.0)
    with pytest.raises(BadDataError, match=f"{tmp_path}: every outcome is 1"):
        design_of(columns, 1.0)


def test_a_snake_is_favoured_by_its_strength_less_that_of_its_opponents(tmp_path: Path) -> None:
    """Between snakes of the same player nobody is."""
    columns = made_up(tmp_path, 50, health=1.0, length=0.5)
    snakes = columns.snakes
    favoured = design_of(columns, 1.0).strengths.toarray()[:, 0].reshape(-1, 2)
    players = snakes.player.codes.reshape(-1, 2)
    frequent = np.bincount(snakes.player.codes).argmax()
    expected = (players != frequent).astype(float)
    np.testing.assert_allclose(favoured, expected - expected[:, ::-1])
