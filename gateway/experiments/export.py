"""The report for other programs: as JSON, and as CSV with a line for each arm."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

import msgspec

from estimation.estimate import Estimate
from gateway.experiments.report import Arm, Experiment

_COUNTS = ("games", "wins", "draws", "losses", "unknown", "not_drawn")
_COLUMNS = (
    *("experiment", "arm", "strategies", *_COUNTS),
    *("win_share", "win_share_low", "win_share_high", "score"),
    *("difference", "difference_low", "difference_high", "verdict", "rating", "rating_sigma"),
)


def as_json(experiments: Sequence[Experiment]) -> bytes:
    """An object whose `experiments` is a list."""
    return msgspec.json.encode({"experiments": experiments})


def as_csv(experiments: Iterable[Experiment]) -> str:
    """A line of names, then one for each arm; a difference is that to the other arm of two. No shadows."""
    text = StringIO()
    lines = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    lines.writeheader()
    for experiment in experiments:
        lines.writerows(_line(experiment, arm) for arm in experiment.arms)
    return text.getvalue()


def _line(experiment: Experiment, arm: Arm) -> Mapping[str, object]:
    comparison = experiment.comparison
    return {
        "experiment": experiment.name,
        "arm": arm.name,
        "strategies": " ".join(arm.strategies),
        **{name: getattr(arm, name) for name in (*_COUNTS, "score")},
        **_numbers("win_share", arm.win_share),
        **_numbers("difference", _difference_of(experiment, arm)),
        "verdict": comparison.verdict if comparison else None,
        "rating": arm.rating.mu if arm.rating else None,
        "rating_sigma": arm.rating.sigma if arm.rating else None,
    }


def _difference_of(experiment: Experiment, arm: Arm) -> Estimate | None:
    """The difference as this arm sees it."""
    comparison = experiment.comparison
    if comparison is None or comparison.difference is None or arm.name == comparison.arms[0]:
        return comparison.difference if comparison else None
    seen = comparison.difference
    return Estimate(-seen.value, -seen.high, -seen.low)


def _numbers(name: str, estimate: Estimate | None) -> Mapping[str, float]:
    if estimate is None:
        return {}
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
