"""The findings of a match, as the page's tables and sentences, from counts over all games."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

import numpy as np

from arena.matches.points import is_duel
from arena.matches.standing import Conduct, Standing
from arena.records import FAULTS, Match, Setup
from arena.report.wording import (
    TIMES,
    interval,
    limits_text,
    listed,
    percent,
    plain,
    share_interval,
    signed,
    title_text,
)
from arena.statistics import elo
from arena.statistics.elo import PAIRS, BlockTally
from arena.statistics.ranking import entrant_results, mean_points, pairwise
from arena.statistics.sprt import Sprt
from arena.statistics.terms import MISSING, TERMS, comparison_terms, p_value_text
from battlesnake_search.common.cli import counted

_SIGNIFICANCE = 0.05
"""The p-value below which entrants differ."""


@dataclass(frozen=True)
class Table:
    """A table with a heading. The first cell of a row is the row's name."""

    heading: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""
    terms: Mapping[str, str] = field(default_factory=dict)
    """The meanings of the table's terms."""


def results(standing: Standing) -> list[Table]:
    """Return the tables with the results of a match. Tables that would say nothing are left out."""
    found = [
        summary(standing),
        ranking(standing),
        opponents(standing),
        *((conduct(standing), deaths(standing)) if standing.points else ()),
        faults(standing) if standing.faults else None,
        voids(standing) if standing.void else None,
    ]
    return [table for table in found if table is not None]


def standing_of(match: Match) -> Standing:
    """Return the sums over all blocks."""
    standing = Standing(match.setup)
    for block in match.blocks:
        standing.add(block)
    return standing


def facts(match: Match) -> list[tuple[str, str]]:
    """Return the facts of the setup: the games and their rules."""
    setup, rules = match.setup, match.setup.rules
    hazards = f"{rules.hazard_damage} a turn and layer"
    if rules.map == "royale" and rules.shrink_every:
        hazards += f", closing in every {rules.shrink_every} turns"
    games = sum(len(block.games) for block in match.blocks)
    return [
        ("Played", f"{counted(games, 'game')} in {counted(len(match.blocks), 'block')}"),
        ("Rules", f"{rules.ruleset}, map {rules.map}"),
        ("Board", f"{rules.width} {TIMES} {rules.height}, {counted(setup.snakes, 'snake')}"),
        ("Food", f"at least {rules.minimum_food}, then {rules.food_spawn_chance} % a turn"),
        ("Hazard damage", hazards),
        ("Longest game", counted(rules.max_turns, "turn")),
        ("Seed", str(setup.seed)),
    ]


def entrants(setup: Setup) -> Table:
    """Return the table of entrants."""
    rows = [(each.name, each.player, limits_text(each.limits)) for each in setup.entrants]
    return Table("Entrants", ("Name", "Player", "Limits for a move"), rows)


def conclusion(standing: Standing) -> str:
    """Return a sentence that names the stronger entrant, or says that it is not known."""
    setup = standing.setup
    if not standing.points:
        return "No game counts, so nothing is known."
    if setup.contenders == 1:
        outlived = share_interval(mean_points(standing.values))
        return f"{setup.entrants[0].name} outlived {outlived} of the snakes that it met."
    if setup.test is not None:
        return _tested(standing, setup.test)
    if setup.contenders > 2:
        return _ranked(setup, standing.points)
    known = mean_points(standing.values)
    one, other = _contenders(setup)
    if known.low > 0.5:
        return f"{one} is stronger than {other}, with 95 % confidence."
    if known.high < 0.5:
        return f"{other} is stronger than {one}, with 95 % confidence."
    bounds = f"{percent(known.low)} to {percent(known.high)}"
    return _not_yet(standing, f"the 95 % interval of its points, {bounds}, contains 50 %")


def _not_yet(standing: Standing, reason: str) -> str:
    """Return the results of the first entrant so far, and why they decide nothing."""
    name, *rest = _contenders(standing.setup)
    results = standing.results
    if results:
        drawn = f" and drew {results['draw']:,}" if results["draw"] else ""
        score = f"won {results['win']:,}{drawn} of {counted(standing.games, 'game')}"
    else:
        score = f"has {percent(mean_points(standing.values).value)} of the points"
    return f"{name} {score} against {listed(rest)}: not yet decided, since {reason}."


def _tested(standing: Standing, sprt: Sprt) -> str:
    tally = standing.tally
    name, *rest = _contenders(standing.setup)
    others = listed(rest)
    llr = signed(sprt.log_likelihood_ratio(tally), 2)
    if (found := sprt.decision(tally)) == "undecided":
        bounds = f"{signed(sprt.lower, 2)} and {signed(sprt.upper, 2)}"
        few = f"{counted(tally.blocks, 'block')} can't tell {plain(sprt.elo1)} Elo from {plain(sprt.elo0)}"
        return _not_yet(standing, f"{few} (an LLR of {llr}, between {bounds})")
    one, zero = plain(sprt.elo1), plain(sprt.elo0)
    if found == "accepted":
        likelier, refuted, advice = one, zero, f"{name} has passed the test, and can replace {others}"
    else:
        likelier, refuted = zero, one
        advice = f"{name} has failed the test: keep {others}, or change {name} and test it again"
    return (
        f"The test rejects a difference of {refuted} Elo from {name} to {others}, because {likelier} Elo is "
        f"likelier (LLR {llr}). {advice}."
    )


def _contenders(setup: Setup) -> list[str]:
    return [entrant.name for entrant in setup.entrants[: setup.contenders]]


def _ranked(setup: Setup, blocks: Sequence[Sequence[float]]) -> str:
    names = _contenders(setup)
    means = [fmean(block[index] for block in blocks) for index in range(len(names))]
    leader = means.index(max(means))
    chances = pairwise(len(names), blocks)
    unclear = [
        names[index]
        for index in range(len(names))
        if index != leader and chances[min(index, leader), max(index, leader)] >= _SIGNIFICANCE
    ]
    if unclear:
        equals = listed(unclear)
        return f"{names[leader]} has the most points, but that may be chance: {equals} may be as strong."
    return f"{names[leader]} is the strongest, ahead of every other with 95 % confidence."


def summary(standing: Standing) -> Table:
    """Return the statistics of the first entrant against the others."""
    setup = standing.setup
    tally = standing.tally
    rows = [("Games that count", f"{standing.games:,} in {counted(len(standing.points), 'block')}")]
    if standing.results:
        results = [f"{standing.results[name]:,}" for name in ("win", "draw", "loss")]
        rows.append(("Won / drawn / lost", " / ".join(results)))
    rows.append(("Points", share_interval(mean_points(standing.values))))
    if is_duel(setup):
        pairs = [f"{name} {count:,}" for name, count in zip(PAIRS, tally.counts, strict=True)]
        rows.append(("Pairs (pentanomial)", ", ".join(pairs)))
    rows += (
        []
        if setup.contenders == 1
        else [
            ("Elo", interval(elo.elo_difference(tally))),
            ("Likelihood of superiority (LOS)", percent(elo.superiority(tally))),
        ]
    )
    if setup.test is not None:
        rows += _test_rows(setup.test, tally)
    return Table(
        title_text(setup),
        ("Statistic", "Value"),
        rows,
        "Intervals are 95 % intervals, from the variance between blocks.",
        _meanings(comparison_terms(is_duel(setup), setup.test is not None) if setup.contenders > 1 else ()),
    )


def _meanings(terms: Iterable[str]) -> Mapping[str, str]:
    return {term: TERMS[term] for term in terms}


def _test_rows(sprt: Sprt, tally: BlockTally) -> list[tuple[str, str]]:
    bounds = f"{signed(sprt.lower, 2)} to {signed(sprt.upper, 2)}"
    hypotheses = f"{plain(sprt.elo0)} against {plain(sprt.elo1)} Elo"
    return [
        ("Sequential test (SPRT)", f"{hypotheses}: {sprt.decision(tally)}"),
        ("LLR", f"{signed(sprt.log_likelihood_ratio(tally), 2)} (bounds {bounds})"),
    ]


def ranking(standing: Standing) -> Table | None:
    """Return the points of three contenders and more, best first."""
    setup = standing.setup
    if setup.contenders < 3 or not standing.points:
        return None
    results = entrant_results(setup.contenders, standing.points)
    order = sorted(range(len(results)), key=lambda index: -results[index].points.value)
    rows = [
        (
            setup.entrants[index].name,
            share_interval(results[index].points),
            p_value_text(results[index].p_value),
        )
        for index in order
    ]
    columns = ("Entrant", "Points (95 % interval)", "p-value")
    return Table("Ranking", columns, rows, terms=_meanings(("p-value",)))


def faults(standing: Standing) -> Table:
    """Return the faults by entrant and kind, zeros included."""
    rows = [
        (
            entrant.name,
            *(f"{standing.faults[index, fault]:,}" for fault in FAULTS),
            f"{standing.decisions[index]:,}",
        )
        for index, entrant in enumerate(standing.setup.entrants)
    ]
    return Table("Faults", ("Entrant", *map(str.capitalize, FAULTS), "Moves asked for"), rows)


def voids(standing: Standing) -> Table:
    """Return the games that don't count, by reason."""
    rows = [(reason, f"{count:,}") for reason, count in standing.void.most_common()]
    note = "A block with a void game gives no points." if rows else "None: every game counts."
    return Table("Void games", ("Reason", "Games"), rows, note)


def times(match: Match) -> Table:
    """Return the time of a move, by entrant."""
    spent: list[list[float]] = [[] for _ in match.setup.entrants]
    for game in (game for block in match.blocks for game in block.games):
        for turn in game.turns:
            for seat, decision in zip(game.seats, turn.decisions, strict=True):
                if decision is not None:
                    spent[seat].append(decision.milliseconds)
    rows = []
    for entrant, milliseconds in zip(match.setup.entrants, spent, strict=True):
        found = np.percentile(milliseconds or [0.0], [50, 99, 100])
        rows.append((entrant.name, *(f"{value:,.1f} ms" for value in found)))
    return Table("Time of a move", ("Entrant", "Median", "99 %", "Longest"), rows)


_SURVIVED = "survived"


def opponents(standing: Standing) -> Table | None:
    """Return the results of a gauntlet by opponent, or None for a match."""
    if not standing.against:
        return None
    entrants = standing.setup.entrants
    rows = [
        (entrants[index].name, f"{against.games:,}", share_interval(against.points))
        for index, against in standing.against.items()
    ]
    columns = ("Opponent", "Games", "Points (95 % interval)")
    return Table("Results by opponent", columns, rows, f"Points of {entrants[0].name}: {TERMS['points']}.")


def conduct(standing: Standing) -> Table:
    """Return how often each entrant won and despaired, how deep it searched, and the time of its moves."""
    rows = [
        (
            name,
            f"{each.games:,}",
            share_interval(each.share_won),
            MISSING if each.false_despair is None else percent(each.false_despair),
            _median_text(each.median_depth),
            _median_text(each.median_nodes),
            f"{standing.thinking[entrant] / max(1, standing.decisions[entrant]):.1f} ms",
        )
        for entrant, (name, each) in enumerate(_by_name(standing))
    ]
    columns = ("Entrant", "Games", "Won (95 % interval)", "False despair", "Median depth", "Median nodes")
    terms = {name.capitalize(): TERMS[name] for name in ("won", "false despair")}
    snakes = standing.setup.snakes
    even = f"Even is {percent(1 / snakes)} of the games." if snakes > 1 else ""
    return Table("Conduct", (*columns, "Mean time"), rows, even, terms)


def _median_text(value: float | None) -> str:
    """Return a median, in whole numbers or halves."""
    return MISSING if value is None else f"{value:,g}" if value < 1000 else f"{value:,.0f}"


def deaths(standing: Standing) -> Table:
    """Return how often each entrant's snakes died of each cause. Causes have their official names."""
    causes = sorted({cause for each in standing.conducts for cause in each.deaths})
    rows = [
        (name, f"{each.snakes:,}", *(_share_of_snakes(each, cause) for cause in (_SURVIVED, *causes)))
        for name, each in _by_name(standing)
    ]
    return Table("Causes of death", ("Entrant", "Snakes", "Survived", *causes), rows)


def _by_name(standing: Standing) -> Iterator[tuple[str, Conduct]]:
    for entrant, each in zip(standing.setup.entrants, standing.conducts, strict=True):
        yield entrant.name, each


def _share_of_snakes(each: Conduct, cause: str) -> str:
    count = each.snakes - each.deaths.total() if cause == _SURVIVED else each.deaths[cause]
    return f"{count:,} ({percent(count / max(1, each.snakes))})"
