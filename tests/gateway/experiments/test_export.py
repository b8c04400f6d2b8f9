"""The report as JSON and CSV."""

import asyncio
import csv
import json

import pytest

from gateway.experiments import export
from gateway.experiments.report import Experiment, report
from tests.gateway.experiments.conftest import Recorded
from tests.gateway.experiments.duels import duels


def _compared(recorded: Recorded) -> list[Experiment]:
    return asyncio.run(report(recorded([*duels("x", "blue", 80, 0, 20), *duels("x", "green", 40, 0, 60)])))


def _rated(recorded: Recorded) -> list[Experiment]:
    return asyncio.run(report(recorded(outcome for arm in "abc" for outcome in duels("x", arm, 1, 1, 1))))


def test_json_holds_everything(recorded: Recorded) -> None:
    """JSON has the counts, the intervals, the decision and the shadows."""
    [experiment] = json.loads(export.as_json(_compared(recorded)))["experiments"]
    assert [(arm["name"], arm["wins"]) for arm in experiment["arms"]] == [("blue", 80), ("green", 40)]
    assert experiment["comparison"]["verdict"] == "blue is better"
    assert set(experiment["comparison"]["difference"]) == {"value", "low", "high"}
    [shadow] = experiment["arms"][0]["shadows"]
    assert (shadow["name"], shadow["games"], shadow["mean_score"]) == ("next", 100, pytest.approx(0.25))


def test_csv_has_a_line_for_each_arm(recorded: Recorded) -> None:
    """Each line has the difference from the point of view of its arm."""
    blue, green = csv.DictReader(export.as_csv(_compared(recorded)).splitlines())
    assert (blue["arm"], blue["games"], blue["win_share"], blue["score"]) == ("blue", "100", "0.8", "0.8")
    assert float(blue["difference"]) == -float(green["difference"]) > 0.39
    assert float(blue["difference_low"]) == -float(green["difference_high"]) > 0
    assert blue["verdict"] == green["verdict"] == "blue is better"


def test_csv_of_many_arms_has_ratings(recorded: Recorded) -> None:
    """With more than two arms each line has a rating and no difference."""
    lines = list(csv.DictReader(export.as_csv(_rated(recorded)).splitlines()))
    assert [line["arm"] for line in lines] == ["a", "b", "c"]
    assert all(float(line["rating_sigma"]) > 0 and not line["difference"] for line in lines)


def test_without_outcomes_csv_is_the_header() -> None:
    """CSV without any outcome has only its header."""
    assert export.as_csv([]).startswith("experiment,arm,") and export.as_csv([]).count("\n") == 1
