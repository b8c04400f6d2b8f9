"""The report for people: tables on a terminal, and an HTML page with the same tables."""

from collections.abc import Mapping, Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from battlesnake_search.common.estimation import Estimate
from gateway.experiments import sentences
from gateway.experiments.report import Experiment

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Experiments</title>
<style>{stylesheet} body {{ margin: 2em; }}</style>
</head>
<body>
<pre>{code}</pre>
</body>
</html>
"""

WIDTH = 120
"""The characters of a line if the output is not a terminal."""


def as_html(experiments: Sequence[Experiment]) -> str:
    """Return a page with the output of `show`."""
    console = Console(file=StringIO(), record=True, width=WIDTH)
    show(experiments, console)
    return console.export_html(code_format=_PAGE)


def show(experiments: Sequence[Experiment], console: Console) -> None:
    """Print tables of each experiment, the comparison of its arms, and the strategies of arms and shadows."""
    if not experiments:
        console.print("No game has ended yet.")
    for experiment in experiments:
        console.print(_arms(experiment))
        console.print()
        if experiment.sample_ratio and experiment.sample_ratio.mismatch:
            console.print(Text(experiment.sample_ratio.warning, style="bold bright_red"))
        for text in sentences.exclusions(experiment):
            console.print(Text(text))
        for text in sentences.comparisons(experiment):
            console.print(Text(text, style="bold"))
        for text in sentences.players(experiment):
            console.print(Text(text))
        if any(arm.shadows for arm in experiment.arms):
            console.print()
            console.print(_shadows(experiment))
        console.print()


def _arms(experiment: Experiment) -> Table:
    arms = experiment.arms
    columns = {
        "arm": [arm.name for arm in arms],
        "games": [str(arm.games) for arm in arms],
        "W/D/L": [f"{arm.wins}/{arm.draws}/{arm.losses}" for arm in arms],
        "unknown": [str(arm.unknown or "") for arm in arms],
        "not drawn": [str(arm.not_drawn or "") for arm in arms],
        "not seen": [str(arm.not_seen or "") for arm in arms],
        "unfinished": [str(arm.unfinished or "") for arm in arms],
        "tests": [str(arm.test_games or "") for arm in arms],
        "win share": [_interval(arm.win_share) for arm in arms],
        "score": ["" if arm.score is None else f"{arm.score:.3f}" for arm in arms],
        "rating": [f"{arm.rating.mu:.1f} ± {arm.rating.sigma:.1f}" if arm.rating else "" for arm in arms],
    }
    return _table(experiment.name, columns, names=1)


def _shadows(experiment: Experiment) -> Table:
    """Return the table that compares the shadows with their arms."""
    pairs = [(shadow, arm) for arm in experiment.arms for shadow in arm.shadows]
    columns = {
        "shadow": [shadow.name for shadow, _ in pairs],
        "arm": [arm.name for _, arm in pairs],
        "games": [str(shadow.games) for shadow, _ in pairs],
        "moves": [str(shadow.positions) for shadow, _ in pairs],
        "agrees": [f"{shadow.agreement:.1%}" for shadow, _ in pairs],
        "depth (arm's)": [
            _with_arms(shadow.mean_depth, shadow.played_mean_depth, ".1f") for shadow, _ in pairs
        ],
        "score (arm's)": [
            _with_arms(shadow.mean_score, shadow.played_mean_score, "+.3f") for shadow, _ in pairs
        ],
    }
    return _table("", columns, names=2)


def _table(title: str, columns: Mapping[str, Sequence[str]], names: int) -> Table:
    """Return a table of the columns that are not empty; the first `names` of them are left-aligned."""
    table = Table(title=Text(title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    # Empty columns would only take space from the others.
    shown = {heading: cells for heading, cells in columns.items() if any(cells)}
    for number, heading in enumerate(shown):
        # Without enough space, a cell wraps instead of being cut off.
        table.add_column(heading, justify="left" if number < names else "right", overflow="fold")
    for row in zip(*shown.values(), strict=True):
        table.add_row(*map(Text, row))
    return table


def _interval(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _with_arms(shadow: float | None, played: float | None, form: str) -> str:
    """Return a shadow's value with the arm's in parentheses; empty if either is unknown."""
    if shadow is None or played is None:
        return ""
    return f"{shadow:{form}} ({played:{form}})"
