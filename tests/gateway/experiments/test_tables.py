"""The report as tables on a terminal, and as a page."""

import asyncio
from collections.abc import Sequence
from io import StringIO

from rich.console import Console

from gateway.experiments import tables
from gateway.experiments.report import Experiment, report
from gateway.outcomes.record import Outcome, Shadow
from tests.gateway.experiments.conftest import Recorded
from tests.gateway.experiments.played import duels
from tests.gateway.outcomes.endings import some

WIDTH = 80
"""Columns of a terminal."""


def _shown(experiments: Sequence[Experiment]) -> str:
    """What a terminal shows."""
    console = Console(file=StringIO(), width=WIDTH, record=True)
    tables.show(experiments, console)
    return console.export_text()


def _of(recorded: Recorded, *outcomes: Outcome) -> list[Experiment]:
    return asyncio.run(report(recorded(outcomes)))


def test_two_arms_have_a_line_each_and_a_verdict(recorded: Recorded) -> None:
    """Counts, intervals and strategies are there, and nothing about what did not happen."""
    text = _shown(_of(recorded, *duels("x", "blue", 80, 0, 20), *duels("x", "green", 40, 0, 60)))
    assert "paranoid/green" in text and "80/0/20" in text and "0.800 (0.711 to 0.867)" in text
    assert "blue - green: 0.400" in text and "blue is better" in text
    assert "not drawn" not in text and "unknown" not in text


def test_more_arms_have_ratings(recorded: Recorded) -> None:
    """More than two arms have their ratings in the table."""
    assert "±" in _shown(_of(recorded, *(game for arm in "abc" for game in duels("x", arm, 1, 1, 1))))


def test_games_whose_arm_was_not_drawn_are_told(recorded: Recorded) -> None:
    """Their number stands beside those that count, also for an arm that has no others."""
    asked = (some(game_id=str(number), arm="red", drawn=False) for number in range(7))
    lines = _shown(_of(recorded, *asked, some(arm="blue"))).splitlines()
    assert "not drawn" in next(line for line in lines if "games" in line)
    assert next(line for line in lines if " red " in line).split()[:4] == ["red", "0", "0/0/0", "7"]


def test_shadows_have_a_table_of_their_own(recorded: Recorded) -> None:
    """Agreement, depth and score are told, the latter two beside the arm's own."""
    shadow = Shadow("paranoid/length", 90, 72, 6.5, 0.25, 7.5, -0.125)
    lines = _shown(_of(recorded, some(arm="blue", shadows={"next": shadow}))).splitlines()
    line = next(line for line in lines if " next " in line)
    assert line.split() == [
        *("next", "blue", "1", "90", "80.0%"),
        *("6.5", "(7.5)", "+0.250", "(-0.125)"),
    ]
    assert "next plays paranoid/length" in lines


def test_a_narrow_terminal_cuts_nothing_off(recorded: Recorded) -> None:
    """What has no room in a line goes on in the next one."""
    name = "a-name-of-an-arm-that-is-as-long-as-half-of-a-terminal"
    lines = _shown(_of(recorded, *duels("x", name, 80, 0, 20), *duels("x", "green", 40, 0, 60))).splitlines()
    assert "…" not in "".join(lines) and max(map(len, lines)) <= WIDTH
    assert all(word in " ".join(lines) for word in ("80/0/20", "0.800", "(0.711", "0.867)"))


def test_nothing_recorded_is_said() -> None:
    """Without any outcome there is a sentence."""
    assert "No game" in _shown([])


def test_a_page_shows_what_a_terminal_does(recorded: Recorded) -> None:
    """The same words stand in it, and names that look like markup do no harm."""
    found = _of(recorded, *duels("<b>x</b>", "[red]", 8, 0, 2))
    page = tables.as_html(found)
    assert page.startswith("<!DOCTYPE html>") and "8/0/2" in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page and "<b>x" not in page and "[red]" in page
