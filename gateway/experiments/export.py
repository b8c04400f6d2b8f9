"""The report for programs: as JSON, and as CSV with a line for each arm."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

import msgspec

from estimation.estimate import Estimate
from gateway.experiments.report import ArmReport, Experiment

_COUNTS = ("games", "wins", "draws", "losses", "unknown", "not_drawn")
_COLUMNS = (
    *("experiment", "arm", "strategies", *_COUNTS),
    *("win_share", "win_share_low", "win_share_high", "score"),
    *("difference", "difference_low", "difference_high", "verdict", "rating", "rating_sigma"),
)


def as_json(experiments: Sequence[Experiment]) -> bytes:
    """Return a JSON object with the list `experiments`."""
    return msgspec.json.encode({"experiments": experiments})


def as_csv(experiments: Iterable[Experiment]) -> str:
    """Return CSV with a header and a line for each arm, without shadows.

    If there are two arms, each line has the difference from the other arm.
    """
    text = StringIO()
    lines = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    lines.writeheader()
    for experiment in experiments:
        lines.writerows(_line(experiment, arm) for arm in experiment.arms)
    return text.getvalue()


def _line(experiment: Experiment, arm: ArmReport) -> Mapping[str, object]:
    comparison = experiment.comparison
    return {
        "experiment": experiment.name,
        "arm": arm.name,
        "strategies": " ".join(arm.strategies),
        **{name: getattr(arm, name) for name in (*_COUNTS, "score")},
        **_numbers("win_share", arm.win_share),
        **_numbers("difference", _difference_of(experiment, arm)),
        "verdict": comparison.decision if comparison else None,
        "rating": arm.rating.mu if arm.rating else None,
        "rating_sigma": arm.rating.sigma if arm.rating else None,
    }


def _difference_of(experiment: Experiment, arm: ArmReport) -> Estimate | None:
    """Return this arm's score minus the other arm's."""
    comparison = experiment.comparison
    if comparison is None or comparison.difference is None or arm.name == comparison.arms[0]:
        return comparison.difference if comparison else None
    other = comparison.difference
    return Estimate(-other.value, -other.high, -other.low)


def _numbers(name: str, estimate: Estimate | None) -> Mapping[str, float]:
    if estimate is None:
        return {}
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
