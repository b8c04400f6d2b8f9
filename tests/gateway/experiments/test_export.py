"""The report as JSON and CSV."""

import asyncio
import csv
import json
from typing import Any

import pytest

from gateway.experiments import export
from gateway.experiments.report import Experiment, report
from gateway.game.values import StrategyRecord
from tests.gateway.conftest import Recorded
from tests.gateway.experiments.duels import duels
from tests.gateway.store.outcome_samples import OUTCOME


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
    assert float(blue["difference_high"]) == -float(green["difference_low"]) > float(blue["difference"])
    assert blue["verdict"] == green["verdict"] == "blue is better"


def test_csv_of_many_arms_has_ratings(recorded: Recorded) -> None:
    """With more than two arms and no known control each line has a rating and no difference."""
    lines = list(csv.DictReader(export.as_csv(_rated(recorded)).splitlines()))
    assert [line["arm"] for line in lines] == ["a", "b", "c"]
    assert all(float(line["rating_sigma"]) > 0 and not line["difference"] for line in lines)


DRAWN: dict[str, Any] = {
    "control": "b",
    "shares": {"a": 0.2511, "b": 0.4967, "c": 0.2522},
    "setup": "s",
    "searched": {"s/e": StrategyRecord({"food": 0.5}, "0123")},
}


def test_csv_of_many_arms_has_their_differences_from_the_control(recorded: Recorded) -> None:
    """Each line but the control's has a difference, and all lines have the strategies and the draw."""
    played = {"a": (90, 0, 10), "b": (50, 0, 50), "c": (50, 0, 50)}
    games = (game for arm in played for game in duels("x", arm, *played[arm], **DRAWN))
    a, b, c = csv.DictReader(export.as_csv(asyncio.run(report(recorded(games)))).splitlines())
    assert [line["control"] for line in (a, b, c)] == ["false", "true", "false"]
    assert [line["difference"] for line in (a, b, c)] == ["0.4", "", "0.0"]
    assert [line["games_missing"] for line in (a, b, c)] == ["0", "", ""]
    assert (a["digests"], a["weights"], a["earlier_games"]) == ("s/e:0123", '{"s/e":{"food":0.5}}', "0")
    assert [line["games_expected"] for line in (a, b, c)] == ["75.3", "149.0", "75.7"]
    assert {line["since"] for line in (a, b, c)} == {OUTCOME.ended_at.isoformat()}
    assert a["sample_ratio_mismatch"] == "true" and float(a["sample_ratio_p"]) < 0.001
    assert a["warning"].startswith("WARNING: sample ratio mismatch: of 300 games a has 100 games instead of")


def test_json_tells_what_played_and_how_the_draw_went(recorded: Recorded) -> None:
    """JSON has the control, the missing games, the strategies and the check of the draw."""
    games = [*duels("x", "a", 5, 0, 5, **DRAWN), *duels("x", "b", 5, 0, 5, **DRAWN)]
    [experiment] = json.loads(export.as_json(asyncio.run(report(recorded(games)))))["experiments"]
    assert experiment["control"] == "b" and experiment["comparison"] == experiment["comparisons"][0]
    assert experiment["comparison"]["arms"] == ["a", "b"]
    assert experiment["comparison"]["games_missing"] is None
    assert experiment["arms"][0]["searched"] == {"s/e": {"weights": {"food": 0.5}, "digest": "0123"}}
    assert experiment["arms"][0]["since"].endswith("Z") and experiment["arms"][0]["earlier"] == []
    assert experiment["sample_ratio"]["games"] == {"a": 10, "b": 10, "c": 0}
    assert (experiment["sample_ratio"]["mismatch"], experiment["sample_ratio"]["warning"]) == (False, "")


def test_without_outcomes_csv_is_the_header() -> None:
    """CSV without any outcome has only its header."""
    assert export.as_csv([]).startswith("experiment,arm,") and export.as_csv([]).count("\n") == 1
