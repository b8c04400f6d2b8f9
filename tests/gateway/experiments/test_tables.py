"""The report as tables on a terminal and as a page."""

import asyncio
from collections.abc import Sequence
from io import StringIO

from rich.console import Console

from gateway.experiments import tables
from gateway.experiments.report import Experiment, report
from gateway.outcomes.record import Outcome, ShadowRecord
from tests.gateway.experiments.conftest import Recorded
from tests.gateway.experiments.duels import duels
from tests.gateway.outcomes.samples import outcome_with

WIDTH = 80
"""The columns of a terminal."""


def _shown(experiments: Sequence[Experiment]) -> str:
    """Return the output on a terminal."""
    console = Console(file=StringIO(), width=WIDTH, record=True)
    tables.show(experiments, console)
    return console.export_text()


def _of(recorded: Recorded, *outcomes: Outcome) -> list[Experiment]:
    return asyncio.run(report(recorded(outcomes)))


def test_two_arms_have_a_line_each_and_a_decision(recorded: Recorded) -> None:
    """The tables have counts, intervals and strategies, and no empty columns."""
    text = _shown(_of(recorded, *duels("x", "blue", 80, 0, 20), *duels("x", "green", 40, 0, 60)))
    assert "paranoid/green" in text and "80/0/20" in text and "0.800 (0.711 to 0.867)" in text
    assert "blue - green: 0.400" in text and "blue is better" in text
    assert "not drawn" not in text and "unknown" not in text


def test_more_arms_have_ratings(recorded: Recorded) -> None:
    """The table of more than two arms has their ratings."""
    assert "±" in _shown(_of(recorded, *(game for arm in "abc" for game in duels("x", arm, 1, 1, 1))))


def test_games_whose_arm_was_not_drawn_are_shown(recorded: Recorded) -> None:
    """Their number has a column, also for an arm that has no other games."""
    named = (outcome_with(game_id=str(number), arm="red", drawn=False) for number in range(7))
    lines = _shown(_of(recorded, *named, outcome_with(arm="blue"))).splitlines()
    assert "not drawn" in next(line for line in lines if "games" in line)
    assert next(line for line in lines if " red " in line).split()[:4] == ["red", "0", "0/0/0", "7"]


def test_shadows_have_a_table_of_their_own(recorded: Recorded) -> None:
    """The table has agreement, depth and score, the latter two with the arm's in parentheses."""
    shadow = ShadowRecord("paranoid/length", 90, 72, 6.5, 0.25, 7.5, -0.125)
    lines = _shown(_of(recorded, outcome_with(arm="blue", shadows={"next": shadow}))).splitlines()
    line = next(line for line in lines if " next " in line)
    assert line.split() == [
        *("next", "blue", "1", "90", "80.0%"),
        *("6.5", "(7.5)", "+0.250", "(-0.125)"),
    ]
    assert "next plays paranoid/length" in lines


def test_a_narrow_terminal_wraps_long_cells(recorded: Recorded) -> None:
    """A cell that is too long continues in the next line and is not cut off."""
    name = "a-name-of-an-arm-that-is-as-long-as-half-of-a-terminal"
    lines = _shown(_of(recorded, *duels("x", name, 80, 0, 20), *duels("x", "green", 40, 0, 60))).splitlines()
    assert "…" not in "".join(lines) and max(map(len, lines)) <= WIDTH
    assert all(word in " ".join(lines) for word in ("80/0/20", "0.800", "(0.711", "0.867)"))


def test_without_outcomes_there_is_a_sentence() -> None:
    """Without any outcome the output is a sentence."""
    assert "No game" in _shown([])


def test_the_page_has_the_tables_of_the_terminal(recorded: Recorded) -> None:
    """The page has the same text, and names that look like markup are escaped."""
    experiments = _of(recorded, *duels("<b>x</b>", "[red]", 8, 0, 2))
    page = tables.as_html(experiments)
    assert page.startswith("<!DOCTYPE html>") and "8/0/2" in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page and "<b>x" not in page and "[red]" in page
