"""The progress of a match: a bar on a terminal, lines elsewhere, nothing on standard output."""

import io
import re

import pytest
from rich.console import Console

from arena.matches import summary
from arena.matches.standing import Standing
from arena.matches.summary import MatchProgress, duration_text
from arena.statistics.sprt import Sprt
from tests.arena.matches.made_games import duel
from tests.arena.setups import setup_of


@pytest.fixture
def standing() -> Standing:
    """Two blocks of a match with a test."""
    standing = Standing(setup_of("paranoid/area", "paranoid/length", test=Sprt(0, 20)))
    standing.add(duel(1, 1))
    standing.add(duel(1, 0))
    return standing


def watch(standing: Standing, ended: list[int], console: Console | None = None) -> None:
    """Show a match of four blocks at these numbers of ended blocks."""
    with MatchProgress(4, console) as shown:
        for count in ended:
            shown.block_ended(standing, count)


def test_the_last_block_prints_a_line(standing: Standing, capsys: pytest.CaptureFixture[str]) -> None:
    """A short match prints one line: blocks, rate and the first entrant's statistics."""
    watch(standing, [0, 1, 2, 3, 4])
    out, err = capsys.readouterr()
    [line] = err.splitlines()
    assert out == ""
    assert line.startswith("4/4 blocks, ")
    assert "a minute: Elo +" in line
    assert "LLR " in line


def test_a_long_match_prints_lines_now_and_then(
    standing: Standing, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the interval each block is printed, except the first of a resumed match."""
    monkeypatch.setattr(summary, "_LINE_SECONDS", 0.0)
    watch(standing, [2, 3])
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("2/4 blocks, 0.0 a minute: ")
    assert second.startswith("3/4 blocks, ")
    assert re.search(r" a minute, \d+ s left: ", second)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")],
)
def test_time_is_told_in_two_units(seconds: float, text: str) -> None:
    """A duration has minutes and seconds, or hours and minutes."""
    assert duration_text(seconds) == text


def test_a_finished_match_is_resumed(standing: Standing, capsys: pytest.CaptureFixture[str]) -> None:
    """A resumed match with all blocks in its file has no rate, and so no time left."""
    watch(standing, [4])
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("4/4 blocks, 0.0 a minute: Elo ")


def test_an_interrupted_match_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """An interrupted match prints nothing: the command explains the interruption."""
    with pytest.raises(KeyboardInterrupt), MatchProgress(4):
        raise KeyboardInterrupt
    assert capsys.readouterr() == ("", "")


def test_on_a_terminal_there_is_a_bar(standing: Standing) -> None:
    """The bar shows blocks, rate and Elo in one line, and no other lines are printed."""
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, force_interactive=True, width=150)
    watch(standing, [0, 1, 2], console=terminal)
    shown = screen.getvalue()
    assert "2/4" in shown
    assert "a minute" in shown
    assert re.search(r"\d s left", shown)
    assert "LLR 0" in shown
    assert "2/4 blocks," not in shown
