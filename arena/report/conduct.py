"""The figures beyond points, as the page's tables: results by opponent, and the conduct of snakes."""

from collections.abc import Iterator

from arena.gauntlet import Conduct, Figures, Lengths, number_text
from arena.matches.standing import Standing
from arena.report.findings import Table
from arena.report.wording import MISSING, counted, percent, share_interval, title_text
from arena.statistics.ranking import mean_points
from arena.statistics.terms import TERMS

_SURVIVED = "survived"


def opponents(figures: Figures) -> Table | None:
    """Return the results of a gauntlet by opponent; None for a match."""
    if not figures.against:
        return None
    entrants = figures.setup.entrants
    rows = [
        (entrants[index].name, f"{against.games:,}", share_interval(against.points))
        for index, against in figures.against.items()
    ]
    columns = ("Opponent", "Games", "Points (95 % interval)")
    return Table("Results by opponent", columns, rows, f"Points of {entrants[0].name}: {TERMS['points']}.")


def summary(standing: Standing, figures: Figures) -> Table:
    """Return the results of a gauntlet's first entrant against all opponents."""
    each = figures.conducts[0]
    rows = [
        ("Games that count", f"{standing.games:,} in {counted(len(standing.points), 'block')}"),
        ("Points", share_interval(mean_points(standing.values))),
        ("Won", f"{share_interval(each.share_won)}; even is {percent(1 / figures.setup.snakes)}"),
        ("Starved", f"{each.starved:,}"),
        ("False despair", _share(each.false_despair)),
        ("Median move", f"depth {number_text(each.median_depth)}, {number_text(each.median_nodes)} nodes"),
    ]
    terms = {name.capitalize(): TERMS[name] for name in ("points", "won", "false despair")}
    note = "Intervals are 95 % intervals, from the variance between blocks."
    return Table(title_text(figures.setup), ("Statistic", "Value"), rows, note, terms)


def _share(share: float | None) -> str:
    return MISSING if share is None else percent(share)


def conduct(figures: Figures) -> Table:
    """Return how often each entrant won, starved and despaired, and how deep it searched."""
    rows = [
        (
            name,
            f"{each.games:,}",
            share_interval(each.share_won),
            f"{each.starved:,}",
            _share(each.despair),
            _share(each.false_despair),
            number_text(each.median_depth),
            number_text(each.median_nodes),
        )
        for name, each in _by_name(figures)
    ]
    columns = ("Entrant", "Games", "Won (95 % interval)", "Starved", "Claimed losses", "False despair")
    terms = {"Won": TERMS["won"], "Claimed losses": _CLAIMS, "False despair": TERMS["false despair"]}
    return Table("Conduct", (*columns, "Median depth", "Median nodes"), rows, terms=terms)


_CLAIMS = "moves that claim a proven loss; like false despair, of all moves"


def deaths(figures: Figures) -> Table:
    """Return how often the snakes of each entrant died of each cause, by its official name."""
    causes = sorted({cause for each in figures.conducts for cause in each.deaths})
    rows = [
        (name, f"{each.snakes:,}", *(_share_of_snakes(each, cause) for cause in (_SURVIVED, *causes)))
        for name, each in _by_name(figures)
    ]
    return Table("Causes of death", ("Entrant", "Snakes", "Survived", *causes), rows)


def growth(figures: Figures) -> Table:
    """Return how long the snakes of each entrant were at some turns, beside the others alive then."""
    rows = [(name, *map(_compared, each.lengths.values())) for name, each in _by_name(figures)]
    columns = (f"Length at turn {turn}" for turn in figures.conducts[0].lengths)
    note = f"Beside it the mean length of the others. Length: {TERMS['length']}."
    return Table("Growth", ("Entrant", *columns), rows, note)


def _by_name(figures: Figures) -> Iterator[tuple[str, Conduct]]:
    for entrant, each in zip(figures.setup.entrants, figures.conducts, strict=True):
        yield entrant.name, each


def _share_of_snakes(each: Conduct, cause: str) -> str:
    count = each.snakes - each.deaths.total() if cause == _SURVIVED else each.deaths[cause]
    return f"{count:,} ({percent(count / max(1, each.snakes))})"


def _compared(lengths: Lengths) -> str:
    if lengths.means is None:
        return MISSING
    own, others = lengths.means
    return f"{own:.1f} beside {others:.1f}"
