"""The report for people: tables and sentences on a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from battlesnake_search.common.cli import counted
from battlesnake_search.common.estimation import Estimate, fixed, percent
from console.experiments.comparison import ArmComparison
from console.experiments.report import ArmReport, Experiment, SeriesReport
from console.experiments.statistics import MIN_GAMES

WIDTH = 120
"""The characters of a line if the output is not a terminal."""

_SHOWN_DIGITS = 8
"""The shown digits of a digest. They suffice to distinguish digests."""


_EXPLANATIONS = {
    "not_drawn": "not drawn: a request named the arm of these games, the arm changed, or another strategy "
    "played while the searcher compiled the arm's",
    "not_seen": "not seen: the gateways missed the first turn of these games, or more than half of the "
    "moves, so the result may not be the arm's own",
    "unfinished": "unfinished: no end of these games has arrived, so they have no result",
    "not_searched": "not searched: more than half of the moves of these games were reflexes, so the result "
    "is not the arm's own",
    "sources.failed_calls": "failed calls: moves for which a call of a searcher failed; the gateway's log "
    "has the errors",
    "sources.stand_in": "stand-in: the default strategy searched while the searcher compiled the arm's "
    "strategy",
    "late": "late: the answer came too late, so the engine moved the snake straight on, perhaps to death",
    "late_deaths": "late deaths: games in which the snake died by a late answer",
}
"""The explanation of a column, by the field of an arm."""


def show(experiments: Sequence[Experiment], console: Console) -> None:
    """Print tables of each experiment, the comparison of its arms, and the strategies of arms and shadows."""
    if not experiments:
        console.print("No game has ended yet.")
    for experiment in experiments:
        _show(experiment, console)


def _show(experiment: Experiment, console: Console) -> None:
    console.print(_arms(experiment))
    console.print()
    if any(arm.sources.moves or arm.late for arm in experiment.arms):
        console.print(_moves(experiment))
        console.print()
    if experiment.sample_ratio and experiment.sample_ratio.mismatch:
        console.print(Text(experiment.sample_ratio.warning, "bold bright_red"))
    for arm in experiment.arms:
        if arm.warning:
            console.print(Text(arm.warning, "bold bright_red"))
    for text in _explanations(experiment):
        console.print(Text(text))
    for text in _comparisons(experiment):
        console.print(Text(text, "bold"))
    for text in _players(experiment):
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
        "not searched": [str(arm.not_searched or "") for arm in arms],
        "tests": [str(arm.test_games or "") for arm in arms],
        "win share": [_interval(arm.win_share) for arm in arms],
        "score": ["" if arm.score is None else fixed(arm.score, 3) for arm in arms],
    }
    return _table(experiment.name, columns, names=1)


def _moves(experiment: Experiment) -> Table:
    """Return the table of the moves by their source, and of the late answers."""
    arms = [arm for arm in experiment.arms if arm.moves]
    sources = [arm.sources for arm in arms]
    columns = {
        "arm": [arm.name for arm in arms],
        "moves": [f"{arm.moves:,}" for arm in arms],
        "full search": [_part(one.full_search, one.moves) for one in sources],
        "best so far": [_part(one.best_so_far, one.moves) for one in sources],
        "reflex": [_part(one.reflex, one.moves) for one in sources],
        "stand-in": [_part(one.stand_in, one.moves) if one.stand_in else "" for one in sources],
        "failed calls": [f"{one.failed_calls:,}" if one.moves else "" for one in sources],
        "late": [f"{arm.late:,}" if arm.late else "" for arm in arms],
        "late deaths": [str(arm.late_deaths or "") for arm in arms],
    }
    return _table("", columns, names=1)


def _part(number: int, total: int) -> str:
    return percent(number / total, 1) if total else ""


def _shadows(experiment: Experiment) -> Table:
    """Return the table that compares the shadows with their arms."""
    pairs = [(shadow, arm) for arm in experiment.arms for shadow in arm.shadows]
    columns = {
        "shadow": [shadow.name for shadow, _ in pairs],
        "arm": [arm.name for _, arm in pairs],
        "games": [str(shadow.games) for shadow, _ in pairs],
        "moves": [str(shadow.positions) for shadow, _ in pairs],
        "agrees": [percent(shadow.agreement, 1) for shadow, _ in pairs],
        "depth (arm's)": [
            _with_arms(shadow.mean_depth, shadow.played_mean_depth, ".1f") for shadow, _ in pairs
        ],
        "score (arm's)": [
            _with_arms(shadow.mean_score, shadow.played_mean_score, "+.3f") for shadow, _ in pairs
        ],
    }
    return _table("", columns, names=2)


def _table(title: str, columns: Mapping[str, Sequence[str]], names: int) -> Table:
    """Return a table of the columns with a text; the first `names` columns are names, the others numbers."""
    table = Table(title=Text(title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
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
    return f"{fixed(estimate.value, 3)} ({fixed(estimate.low, 3)} to {fixed(estimate.high, 3)})"


def _with_arms(shadow: float | None, played: float | None, form: str) -> str:
    """Return a shadow's value with the arm's value in parentheses; empty if either is unknown."""
    if shadow is None or played is None:
        return ""
    return f"{shadow:{form}} ({played:{form}})"


def _comparisons(experiment: Experiment) -> Iterator[str]:
    """Yield the sentences of each comparison with the control."""
    for one in experiment.comparisons:
        yield " ".join(filter(None, (one.summary, _games(experiment, one), one.still_needed)))
    if len(experiment.arms) > 1 and not experiment.comparisons:
        counts = " and ".join(f"{arm.name} has {arm.games}" for arm in experiment.arms)
        yield f"Each arm needs at least {MIN_GAMES} games before anything is decided: {counts}."


def _games(experiment: Experiment, comparison: ArmComparison) -> str:
    """Return the compared games and the waiting games; empty if all games of the arms are compared."""
    known = sum(arm.games - arm.unknown for arm in experiment.arms if arm.name in comparison.arms)
    ones, others = comparison.games
    texts = []
    if ones + others + comparison.waiting < known:
        since = f"It compares the {ones} and {others} games since the last change"
        texts.append(f"{since}, each counted once for an arm.")
    if comparison.waiting:
        waiting = f"{counted(comparison.waiting, 'ended game')} not compared yet"
        texts.append(f"A game that began earlier is still going on: {waiting}.")
    return " ".join(texts)


def _explanations(experiment: Experiment) -> Iterator[str]:
    """Yield the explanations of the columns that have a number."""
    for field, text in _EXPLANATIONS.items():
        if any(map(attrgetter(field), experiment.arms)):
            yield text


def _players(experiment: Experiment) -> Iterator[str]:
    """Yield the strategies of each arm and each shadow."""
    for arm in experiment.arms:
        yield from _strategies(arm)
        yield from (_earlier(arm, series) for series in arm.earlier)
    shadows = ((shadow.name, shadow.strategies) for arm in experiment.arms for shadow in arm.shadows)
    yield from dict.fromkeys(f"{name} plays {_listed(strategies)}" for name, strategies in shadows)


def _strategies(arm: ArmReport) -> Iterator[str]:
    if not arm.searched and arm.strategies:
        yield f"{arm.name} plays {_listed(arm.strategies)}"
    for name, strategy in arm.searched.items():
        yield f"{arm.name} plays {name} [{strategy.digest[:_SHOWN_DIGITS]}]{_weights(strategy.weights)}"


def _weights(weights: Mapping[str, float]) -> str:
    listed = ", ".join(f"{name} {weight:g}" for name, weight in sorted(weights.items()))
    return f" with {listed}" if listed else ""


def _earlier(arm: ArmReport, series: SeriesReport) -> str:
    digests = ", ".join(f"{name} [{one.digest[:_SHOWN_DIGITS]}]" for name, one in series.searched.items())
    score = "" if series.score is None else f", score {fixed(series.score, 3)}"
    return (
        f"{arm.name} played {digests or _listed(series.strategies)} until {_minute(series.until)}: "
        f"{series.games} games, {series.wins}/{series.draws}/{series.losses}{score}, not counted above"
    )


def _minute(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M} UTC" if time else ""


def _listed(strategies: list[str]) -> str:
    return ", ".join(strategy or "the searcher's default" for strategy in strategies)
