"""The table of chaos, and which results miss a goal."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.chaos.result import Played, Result
from tests.support.games import GameReport

GAME = GameReport(2, "", (), (450, 440, 460, 20), 500, ())

LATE = replace(GAME, latencies=(450, 500, 20, 20))

WELL = Result("resets", [Played(GAME, 0.004)] * 2, Counter({"search": 7, "reflex": 1}), 0, (90.0, 95.4))


def test_a_row_counts_all_games() -> None:
    """Moves, late answers and stalls are those of all games of a fault."""
    row = replace(WELL, games=[Played(GAME, 0.004), Played(LATE, 0.031)], lost=3, errors=["a"]).row()
    assert row == ["resets", "2", "8", "1", "500", "7", "0", "1", "0", "3", "1", "90 to 95", "31"]


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        ({}, None),
        ({"games": [Played(LATE, 0.031)]}, None),
        ({"games": [Played(LATE, 0.004)]}, "1 answers late while the machine did not stall"),
        ({"lost": 1}, "1 outcomes lost"),
        ({"exit_code": -9}, "the gateway ended with -9"),
        ({"memory": (90.0, 141.0)}, "51 MB more memory"),
        ({"errors": ["Traceback"]}, "errors in the log: Traceback"),
        ({"games": [Played(replace(GAME, warnings=("status 500",)), 0.0)]}, "failed answers: status 500"),
    ],
)
def test_each_harm_misses_a_goal(change: dict[str, Any], failure: str | None) -> None:
    """A result fails by the line that tells why."""
    assert replace(WELL, **change).failures() == ([f"resets: {failure}"] if failure else [])


@pytest.mark.parametrize(
    "warning",
    [
        "Request failed: context deadline exceeded (Client.Timeout exceeded)",
        "Request to http://127.0.0.1:8000/end failed",
    ],
)
def test_late_answers_outside_the_record_count(warning: str) -> None:
    """The engine's record has no latency of a dead snake, and none of `/end`."""
    game = Played(replace(GAME, warnings=(warning,)), 0.004)
    assert (game.late, game.failed) == (1, [])


def test_late_answers_may_be_tolerated() -> None:
    """On a machine that others use, late answers are only shown."""
    late = replace(WELL, games=[Played(LATE, 0.004)])
    assert late.failures(is_strict=False) == []
