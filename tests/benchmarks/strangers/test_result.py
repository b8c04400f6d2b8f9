"""The table of strangers, and the bounds that their results may exceed."""

import math
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.strangers.plan import Report
from benchmarks.strangers.result import Result
from benchmarks.strangers.services import Memory, limits

LIMITS = {"gateway": 256.0, "searcher": 1024.0}

CALM = {"gateway": Memory(100.0, 70.0), "searcher": Memory(300.0, 250.0)}

WELL = [20.0, 450.0, 460.0]

LATE = [20.0, 450.0, 500.0]

MOST = {"gateway": 100.0, "searcher": 300.0}

HARMLESS = Result("bad bodies", WELL, Report(9, {"400": 9}), CALM, MOST, CALM, ended_in=0.5)


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        ({}, None),
        ({"moves": LATE}, "1 of 3 moves late or unanswered"),
        ({"moves": [20.0, math.inf, math.inf]}, "2 of 3 moves late or unanswered"),
        ({"after": CALM | {"searcher": Memory(300.0, 261.0)}}, "the searcher grew by 11 MB"),
        ({"most": MOST | {"gateway": 257.0}}, "the gateway had 257 of 256 MB"),
        ({"gone": ["gateway"]}, "the gateway ended, with 100 MB"),
        ({"lines": 101}, "101 lines in the logs"),
        ({"database_bytes": 1_100_000_000}, "1100 MB in the database"),
        ({"ended_in": 5.5}, "SIGTERM was obeyed after 5.5 s"),
        ({"report": Report(9, {"500": 1, "INTERNAL": 8})}, "answers 500, INTERNAL"),
    ],
)
def test_each_harm_exceeds_a_bound(change: dict[str, Any], failure: str | None) -> None:
    """A result fails by the line that names the bound."""
    assert list(replace(HARMLESS, **change).failures(HARMLESS, LIMITS)) == ([failure] if failure else [])


def test_moves_that_are_late_without_a_stranger_are_not_its_fault() -> None:
    """A busy machine is not a stranger: the share of late moves without one is allowed."""
    late = replace(HARMLESS, moves=LATE * 2)
    assert list(late.failures(replace(HARMLESS, moves=LATE), LIMITS)) == []
    assert list(late.failures(HARMLESS, LIMITS)) != []


def test_the_limits_are_those_of_the_manifests() -> None:
    """A cluster ends a service that exceeds them."""
    assert limits() == pytest.approx({"gateway": 268.4, "searcher": 1073.7}, abs=0.1)
