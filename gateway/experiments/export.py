"""The report as JSON, as CSV with a line for each arm, and as tables for a terminal."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

import msgspec
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gateway.experiments.report import Arm, Experiment
from gateway.experiments.statistics import Estimate

_COLUMNS = (
    *("experiment", "arm", "strategies", "games", "wins", "draws", "losses", "unknown"),
    *("win_share", "win_share_low", "win_share_high", "score"),
    *("difference", "difference_low", "difference_high", "verdict", "rating", "rating_sigma"),
)


def as_json(experiments: Sequence[Experiment]) -> bytes:
    """An object whose `experiments` is a list."""
    return msgspec.json.encode({"experiments": experiments})


def as_csv(experiments: Iterable[Experiment]) -> str:
    """A line of names, then one for each arm; a difference is that to the other arm of two."""
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
        **{name: getattr(arm, name) for name in ("games", "wins", "draws", "losses", "unknown", "score")},
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


def show(experiments: Sequence[Experiment], console: Console) -> None:
    """A table for each experiment, what its arms play and, of two arms, how they compare."""
    if not experiments:
        console.print("No game has ended yet.")
    for experiment in experiments:
        console.print(_table(experiment))
        for arm in experiment.arms:
            played = ", ".join(strategy or "the searcher's default" for strategy in arm.strategies)
            console.print(f"{arm.name} plays {played}", markup=False)
        if comparison := experiment.comparison:
            known = _written(comparison.difference)
            console.print(f"{' - '.join(comparison.arms)}: {known}; {comparison.verdict}", markup=False)
        console.print()


def _table(experiment: Experiment) -> Table:
    arms = experiment.arms
    columns = {
        "arm": [escape(arm.name) for arm in arms],
        "games": [str(arm.games) for arm in arms],
        "W/D/L": [f"{arm.wins}/{arm.draws}/{arm.losses}" for arm in arms],
        "unknown": [str(arm.unknown or "") for arm in arms],
        "win share": [_written(arm.win_share) for arm in arms],
        "score": ["" if arm.score is None else f"{arm.score:.3f}" for arm in arms],
        "rating": [f"{arm.rating.mu:.1f} ± {arm.rating.sigma:.1f}" if arm.rating else "" for arm in arms],
    }
    # What no arm has would only take room from the rest.
    shown = {heading: cells for heading, cells in columns.items() if any(cells)}
    table = Table(title=escape(experiment.name), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    for heading in shown:
        table.add_column(heading, justify="left" if heading == "arm" else "right", no_wrap=True)
    for row in zip(*shown.values(), strict=True):
        table.add_row(*row)
    return table


def _written(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"
