"""Charts exist where there is data, with a description and in the page's colours."""

import re

import pytest

from arena.records import Match
from arena.report import charts, findings
from arena.report.drawing import Chart
from arena.statistics.sprt import Sprt
from tests.arena.report.conftest import HOSTILE
from tests.arena.report.random_games import DUEL, random_match, setup_of, with_test


def charts_of(match: Match) -> dict[str, Chart]:
    """The charts of a match by id."""
    return {chart.id: chart for chart in charts.charts(findings.standing_of(match))}


def test_a_tested_duel_has_all_charts(duel: Match) -> None:
    """A duel with a test has both charts, each with a title and a description."""
    drawn = charts_of(with_test(duel, Sprt(0, 20)))
    assert list(drawn) == ["rating", "llr"]
    assert all(chart.title and chart.description.endswith(".") for chart in drawn.values())


def test_the_test_is_drawn_only_where_there_is_one(duel: Match) -> None:
    """Without hypotheses there is no log-likelihood ratio."""
    assert "llr" not in charts_of(duel)


def test_names_are_in_legends_only(duel: Match) -> None:
    """A drawing has no names; the legend names each entrant with the style sheet's colour."""
    drawn = charts_of(duel)
    assert [key.name for key in drawn["rating"].keys] == [HOSTILE]
    assert HOSTILE not in "".join(chart.svg for chart in drawn.values())
    assert all("Söhne" not in re.sub(r'aria-label="[^"]*"', "", chart.svg) for chart in drawn.values())


def test_colours_come_from_the_style_sheet(duel: Match) -> None:
    """A drawing has no fixed colours, so that it can be light or dark."""
    for chart in charts_of(with_test(duel, Sprt(0, 20))).values():
        assert set(re.findall(r"#[0-9a-f]{6}\b", chart.svg)) == set()


@pytest.mark.parametrize("names", [("one", "two", "three"), tuple(f"number {n}" for n in range(8))])
def test_many_sides_have_charts(names: tuple[str, ...]) -> None:
    """Every entrant has a curve in the rating."""
    match = random_match(setup_of(DUEL, names, len(names)), 2)
    assert [key.name for key in charts_of(match)["rating"].keys] == list(names)


def test_a_gauntlet_draws_the_first_entrant(gauntlet: Match) -> None:
    """The legend has the first entrant, and not each of its many opponents."""
    assert [key.name for key in charts_of(gauntlet)["rating"].keys] == ["one"]
