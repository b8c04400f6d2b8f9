"""Nets that learn from made-up games, and the packages that they become."""

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.data.files import BadDataError, Columns
from arena.learning.net import Course, Net, check_name, train_net, values_of, write_package
from arena.learning.values import Values, inputs_of
from searcher.engine.features.net_weights import layers_of
from searcher.engine.features.terms import Terms
from searcher.plugins.discovery import discover_evaluators
from searcher.strategies import evaluators
from tests.arena.learning.setups import TWO, made_up

COURSE = Course(units=4, epochs=30, decay=1.0, seed=3)
HUNGER, CROWD, HASTE = (Terms._fields.index(name) for name in ("hunger", "crowd", "haste"))


@pytest.fixture(scope="module")
def columns(tmp_path_factory: pytest.TempPathFactory) -> Columns:
    """Games that the healthier snake wins."""
    return made_up(tmp_path_factory.mktemp("data"), 2000, health=3.0, length=0.0)


@pytest.fixture(scope="module")
def net(columns: Columns) -> Net:
    """A net that learned from them."""
    return train_net(columns, evaluators()["fitted"], COURSE, lambda *_: None)


def test_a_net_learns_what_wins(columns: Columns, net: Net) -> None:
    """It forecasts games that it has not seen better than a linear evaluator that knows nothing of them."""
    assert net.validation.gain.low > 0
    assert net.losses[-1] < net.losses[0]
    values = values_of(net.layers, inputs_of(columns))
    assert np.corrcoef(values, columns.snakes.health)[0, 1] > 0.6


def test_what_never_changes_has_no_weight(net: Net) -> None:
    """Nothing is known of terms that are the same in all games: in a search they differ."""
    for term in (CROWD, HASTE):
        assert net.layers.direct[term] == 0.0 and not net.layers.inward[term].any()
    assert net.layers.inward[HUNGER].any()


def test_the_same_seed_learns_the_same(columns: Columns, net: Net) -> None:
    """Another one does not."""
    again = train_net(columns, evaluators()["fitted"], COURSE, lambda *_: None)
    assert all((one == other).all() for one, other in zip(again.layers, net.layers, strict=True))
    other = train_net(columns, evaluators()["fitted"], replace(COURSE, seed=4, epochs=1), lambda *_: None)
    assert (other.layers.inward != net.layers.inward).any()


def test_games_of_one_part_are_too_few(tmp_path: Path) -> None:
    """There would be nothing to forecast."""
    with pytest.raises(BadDataError, match="too few games to learn from some and to forecast the others"):
        train_net(made_up(tmp_path, 1, 1.0, 0.0), TWO, COURSE, lambda *_: None)


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose modules can be imported."""
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("battlesnake_")]:
        del sys.modules[name]


def test_a_package_plays_what_was_trained(columns: Columns, net: Net, on_path: Path) -> None:
    """Its compiled code gives the values of the net, squeezed between -1 and 1; haste adds nothing here."""
    write_package(on_path, "made_up", net, "CC0-1.0")
    module = importlib.import_module("battlesnake_made_up")
    evaluator = replace(TWO, weights=module.WEIGHTS, evaluate=module.evaluate)
    [found] = Values(columns, evaluator).of([{"scale": 0.5, "haste": 1.0}])
    scaled = 0.5 * values_of(net.layers, inputs_of(columns))
    assert found == pytest.approx(scaled / (1.0 + abs(scaled)), abs=1e-4)


def test_a_package_is_a_plug_in(net: Net, on_path: Path) -> None:
    """Once it is installed; its weights say what they were trained on, and under which licence they are."""
    write_package(on_path, "made_up", net, "CC0-1.0")
    information = on_path / "battlesnake_made_up-0.1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: battlesnake-made_up\nVersion: 0.1.0\n"
    )
    text = (on_path / "pyproject.toml").read_text()
    assert 'made_up = "battlesnake_made_up"' in text and 'license = "CC0-1.0"' in text
    (information / "entry_points.txt").write_text("[battlesnake.evaluators]\nmade_up = battlesnake_made_up\n")
    found = discover_evaluators()
    assert found.faults == () and "4 hidden units" in found.evaluators["made_up"].description
    weights = importlib.import_module("battlesnake_made_up.weights")
    assert weights.LICENCE == "CC0-1.0" and weights.DATA["games"] == 2000
    assert all((one == other).all() for one, other in zip(layers_of(weights), net.layers, strict=True))
    assert "| games | 2000 |" in (on_path / "README.md").read_text()


def test_changed_weights_are_a_fault(net: Net, on_path: Path) -> None:
    """The package can't be imported, and the error names the digest."""
    write_package(on_path, "changed", net, "MIT")
    path = on_path / "battlesnake_changed" / "weights.py"
    path.write_text(path.read_text().replace("BIAS = ", "BIAS = 1 + "))
    with pytest.raises(ValueError, match="DIGEST is"):
        importlib.import_module("battlesnake_changed")


@pytest.mark.parametrize("name", ["", "Net", "my-net", "1net", "net.a"])
def test_names_are_those_of_modules(name: str) -> None:
    """An evaluator's name is part of its package's."""
    with pytest.raises(ValueError, match="valid are small letters, digits and _"):
        check_name(name)
