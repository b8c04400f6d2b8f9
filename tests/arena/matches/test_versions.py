"""What plays a match: machines with other code are told apart, and the message says by what."""

from dataclasses import replace

import pytest

from arena.matches.ray_workers import OtherVersionError, check_versions, versions_of
from arena.records import Setup
from searcher.strategies import evaluators
from tests.arena.setups import setup_of


@pytest.fixture(scope="module")
def setup() -> Setup:
    """Entrants of which two name an evaluator."""
    return setup_of("paranoid/area", "auto", "greedy", "brs/length,name=weak")


def test_the_project_and_the_evaluators_that_play_have_versions(setup: Setup) -> None:
    """What the entrants do not name is the project's own."""
    assert list(versions_of(setup)) == ["battlesnake-search", "the evaluator area", "the evaluator length"]
    check_versions(setup, versions_of(setup), "here")


def test_another_evaluator_is_refused(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as that of a package that has been installed here in another version."""
    began = versions_of(setup)
    monkeypatch.setitem(evaluators(), "area", replace(evaluators()["area"], code_digest="0123"))
    with pytest.raises(OtherVersionError) as refused:
        check_versions(setup, began, "192.0.2.7")
    ours, theirs = "the evaluator area 0123", f"the evaluator area {began['the evaluator area']}"
    assert f"192.0.2.7 has {ours}, but this match began with {theirs}: " in str(refused.value)


def test_a_missing_evaluator_is_refused(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as that of a package that is not installed here."""
    began = versions_of(setup)
    monkeypatch.delitem(evaluators(), "area")
    with pytest.raises(OtherVersionError, match="here has the evaluator area none, but"):
        check_versions(setup, began, "here")
