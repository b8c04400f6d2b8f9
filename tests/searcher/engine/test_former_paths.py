"""Former import paths that third-party evaluators use still work and name their replacement."""

import importlib
import sys

import pytest

from searcher import toolkit

FORMER = {
    "searcher.engine.cells": ("load", "count", "one", "none", "contains"),
    "searcher.engine.flood": ("area", "fill", "neighbours", "reach", "NOWHERE"),
    "searcher.engine.reach": ("distance",),
    "searcher.engine.terrain": (
        "cut_cells",
        "harm",
        "hazard_share",
        "longest_other",
        "reaches_tail",
        "sector",
    ),
    "searcher.engine.assured": ("assured", "lengths_after"),
    "searcher.engine.board": ("RING", "MAX_WEIGHTS"),
    "searcher.engine.memory": ("peek", "copy_record"),
}
"""Former modules and the names that they had."""

RENAMED = {"assured": "worst_case", "lengths_after": "length_bounds"}


@pytest.mark.parametrize("name", FORMER)
def test_a_former_module_is_imported_with_a_warning(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A former module has its former names; its warning points at the import and names the toolkit."""
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.warns(DeprecationWarning, match=r"import from searcher\.toolkit"):
        module = importlib.import_module(name)
    assert all(hasattr(module, each) for each in FORMER[name])
    for each in FORMER[name]:
        now = getattr(toolkit, RENAMED.get(each, each), None)
        assert now is None or now is getattr(module, each)


@pytest.mark.parametrize("name", ["is_alive", "free_cells", "legal_moves", "has", "move_of", "play"])
def test_names_of_the_former_rules_module(name: str) -> None:
    """Names of the former module `rules` are found in the package and warn each time."""
    with pytest.warns(DeprecationWarning, match=rf"searcher\.engine\.rules\.{name} is deprecated") as warned:
        found = getattr(importlib.import_module("searcher.engine.rules"), name)
    assert callable(found)
    assert warned[0].filename == __file__


@pytest.mark.parametrize("name", ["Weight", "NOTHING"])
def test_names_of_the_evaluators_package(name: str) -> None:
    """Names that the evaluators package declared come from the toolkit, with a warning."""
    with pytest.warns(DeprecationWarning, match=rf"import {name} from searcher\.toolkit"):
        assert getattr(importlib.import_module("searcher.evaluators"), name) is getattr(toolkit, name)


@pytest.mark.parametrize("package", ["searcher.engine.rules", "searcher.evaluators"])
def test_other_names_are_unknown(package: str) -> None:
    """A name that was never there raises AttributeError without a warning."""
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = importlib.import_module(package).no_such_name


def test_other_modules_are_unknown() -> None:
    """The engine has no modules but its own and the former ones."""
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("searcher.engine.no_such_module")
