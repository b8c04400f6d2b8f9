"""The report for programs: as JSON, and as CSV with a line for each arm."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

import msgspec

from battlesnake_search.common.estimation import Estimate
from gateway.experiments.comparison import ArmComparison
from gateway.experiments.report import ArmReport, Experiment
from gateway.experiments.statistics import SampleRatio

_COUNTS = ("games", "wins", "draws", "losses", "unknown", "not_drawn")
_OTHER_COUNTS = ("score", "test_games", "not_seen", "unfinished", "not_searched", "searched_share")
_COLUMNS = (
    *("experiment", "arm", "strategies", *_COUNTS),
    *("win_share", "win_share_low", "win_share_high", "score"),
    *("difference", "difference_low", "difference_high", "verdict", "rating", "rating_sigma"),
    *("control", "games_missing", "digests", "weights", "since", "earlier_games", "test_games"),
    *("games_expected", "sample_ratio_p", "sample_ratio_mismatch", "warning"),
    *("not_seen", "unfinished", "not_searched", "searched_share"),
)


def as_json(experiments: Sequence[Experiment]) -> bytes:
    """Return a JSON object with the list `experiments`."""
    return msgspec.json.encode({"experiments": experiments})


def as_csv(experiments: Iterable[Experiment]) -> str:
    """Return CSV with a header and a line for each arm, without shadows.

    Each line has the difference from the control. With two arms, the control's line has the difference from
    the other arm.
    """
    text = StringIO()
    lines = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    lines.writeheader()
    for experiment in experiments:
        lines.writerows(_line(experiment, arm) for arm in experiment.arms)
    return text.getvalue()


def _line(experiment: Experiment, arm: ArmReport) -> Mapping[str, object]:
    comparison = _comparison_of(experiment, arm)
    return {
        "experiment": experiment.name,
        "arm": arm.name,
        "strategies": " ".join(arm.strategies),
        **{name: getattr(arm, name) for name in (*_COUNTS, *_OTHER_COUNTS)},
        **_numbers("win_share", arm.win_share),
        **_numbers("difference", _difference_of(comparison, arm)),
        "verdict": comparison.decision if comparison else None,
        "rating": arm.rating.mu if arm.rating else None,
        "rating_sigma": arm.rating.sigma if arm.rating else None,
        "control": _flag(arm.name == experiment.control),
        "games_missing": comparison.games_missing if comparison else None,
        "digests": " ".join(f"{name}:{strategy.digest}" for name, strategy in arm.searched.items()),
        "weights": msgspec.json.encode(
            {name: strategy.weights for name, strategy in arm.searched.items()}
        ).decode(),
        "since": arm.since.isoformat() if arm.since else None,
        "earlier_games": sum(series.games for series in arm.earlier),
        **_sample_ratio(experiment.sample_ratio, arm),
        "warning": " ".join(filter(None, (_mismatch(experiment.sample_ratio, arm), arm.warning))),
    }


def _comparison_of(experiment: Experiment, arm: ArmReport) -> ArmComparison | None:
    """Return the comparison of this arm with the control, or the only one for the control."""
    mine = (one for one in experiment.comparisons if one.arms[0] == arm.name)
    return next(mine, experiment.comparison if arm.name == experiment.control else None)


def _difference_of(comparison: ArmComparison | None, arm: ArmReport) -> Estimate | None:
    """Return this arm's score minus the other arm's."""
    if comparison is None or comparison.difference is None or arm.name == comparison.arms[0]:
        return comparison.difference if comparison else None
    other = comparison.difference
    return Estimate(-other.value, -other.high, -other.low)


def _sample_ratio(check: SampleRatio | None, arm: ArmReport) -> Mapping[str, object]:
    if check is None or arm.name not in check.expected:
        return {}
    return {
        "games_expected": round(check.expected[arm.name], 1),
        "sample_ratio_p": check.p,
        "sample_ratio_mismatch": _flag(check.mismatch),
    }


def _mismatch(check: SampleRatio | None, arm: ArmReport) -> str:
    return check.warning if check and arm.name in check.expected else ""


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _numbers(name: str, estimate: Estimate | None) -> Mapping[str, float]:
    if estimate is None:
        return {}
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
