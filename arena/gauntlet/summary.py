"""The figures of a gauntlet or a match, for a terminal."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.gauntlet.conduct import Conduct
from arena.gauntlet.figures import Figures
from arena.gauntlet.lengths import MILESTONES
from arena.matches.standing import Standing
from arena.matches.summary import counted, entrants_table, faults_text, mean_time
from arena.statistics.multi_entrant import mean_points
from arena.statistics.terms import glossary, term_lines
from battlesnake_search.common.estimation import Estimate

MISSING = "\N{EN DASH}"
"""The text of a figure that nobody reported."""

CONDUCT_TERMS = ("length", "false despair")
"""The terms of conduct that need an explanation."""


def gauntlet_summary(standing: Standing, figures: Figures) -> RenderableType:
    """Return the summary of a gauntlet: results by opponent, then the conduct of the first entrant."""
    facts = Table.grid(padding=(0, 2), pad_edge=False)
    for name, value in _facts(standing, figures.conducts[0]):
        facts.add_row(name, value)
    return Group(_opponents(standing, figures), Text(_heading(standing), "bold"), facts)


def gauntlet_explanation() -> RenderableType:
    """Return the meaning of the terms in the summary of a gauntlet."""
    return Text(glossary(["points", "won", "ms", *CONDUCT_TERMS]), "dim")


def conduct_explanation() -> RenderableType:
    """Return the meaning of the terms in the table of conduct, to follow those of a match."""
    return Text(term_lines(["won", *CONDUCT_TERMS]), "dim")


def conduct_table(figures: Figures) -> Table:
    """Return the conduct of every entrant of a match."""
    names = [entrant.name for entrant in figures.setup.entrants]
    lengths = (f"length\nat {turn}" for turn in MILESTONES)
    table = entrants_table("entrant", names, "won", "starved", "false\ndespair", "depth", "nodes", *lengths)
    for name, conduct in zip(names, figures.conducts, strict=True):
        table.add_row(Text(name), *_conduct_cells(conduct))
    return table


def _opponents(standing: Standing, figures: Figures) -> Table:
    names = [entrant.name for entrant in standing.setup.entrants]
    table = entrants_table("opponent", names, "games", "points", "95 % interval", "ms")
    table.add_column("faults", overflow="fold")
    for index, against in figures.against.items():
        cells = mean_time(standing, index), faults_text(standing, index)
        table.add_row(Text(names[index]), str(against.games), *_points_cells(against.points), *cells)
    table.add_section()
    everyone = _points_cells(mean_points(standing.values))
    table.add_row("all", str(standing.games), *everyone, "", "")
    return table


def _points_cells(points: Estimate) -> tuple[str, str]:
    return f"{points.value:.3f}", f"{points.low:.3f} to {points.high:.3f}"


def _heading(standing: Standing) -> str:
    setup = standing.setup
    games, blocks = counted(standing.games, "game"), counted(len(standing.points), "block")
    return f"{setup.entrants[0].name}: {games} of {setup.snakes} snakes in {blocks}"


def _facts(standing: Standing, conduct: Conduct) -> Iterator[tuple[str, str]]:
    share, even = conduct.share_won, 1 / standing.setup.snakes
    interval = f"{share.low:.1%} to {share.high:.1%}; even is {even:.1%}"
    yield "won", f"{conduct.last_alive} of {counted(conduct.games, 'game')}: {share.value:.1%} ({interval})"
    yield "deaths", deaths_text(conduct)
    yield "starved", str(conduct.starved)
    for turn, lengths in conduct.lengths.items():
        if means := lengths.means:
            own, others = means
            compared = (
                f"{own:.1f} beside the others' {others:.1f}, alive in {counted(len(lengths.own), 'game')}"
            )
            yield f"length at {turn}", compared
    yield "false despair", despair_text(conduct)
    yield (
        "median move",
        f"depth {number_text(conduct.median_depth)}, {number_text(conduct.median_nodes)} nodes",
    )
    yield "mean time", f"{mean_time(standing, 0)} ms"
    yield "faults", faults_text(standing, 0)
    for reason, count in standing.void.items():
        yield counted(count, "void game"), reason


def deaths_text(conduct: Conduct) -> str:
    """Return how often the snakes survived or died of each cause, by its official name."""
    snakes = max(1, conduct.snakes)
    ends = [("survived", conduct.snakes - conduct.deaths.total()), *conduct.deaths.most_common()]
    return ", ".join(f"{count} {cause} ({count / snakes:.1%})" for cause, count in ends if count) or MISSING


def despair_text(conduct: Conduct) -> str:
    """Return the shares of false claims and of all claims of a loss."""
    if conduct.false_despair is None or conduct.despair is None:
        return MISSING
    return (
        f"{conduct.false_despair:.2%} of {conduct.moves:,} moves; a loss is claimed in {conduct.despair:.2%}"
    )


def number_text(value: float | None) -> str:
    """Return a median, in whole numbers or halves."""
    return MISSING if value is None else f"{value:,g}" if value < 1000 else f"{value:,.0f}"


def _conduct_cells(conduct: Conduct) -> Iterator[str]:
    yield f"{conduct.share_won.value:.1%}"
    yield str(conduct.starved)
    yield MISSING if conduct.false_despair is None else f"{conduct.false_despair:.2%}"
    yield number_text(conduct.median_depth)
    yield number_text(conduct.median_nodes)
    for lengths in conduct.lengths.values():
        yield f"{lengths.means[0]:.1f}" if lengths.means else MISSING
