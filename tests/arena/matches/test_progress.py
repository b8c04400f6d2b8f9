"""The progress of a match."""

import re

import pytest

from arena.matches.progress import MatchProgress, duration_text, one_line
from arena.matches.standing import Standing
from arena.report import findings
from arena.statistics.sprt import Sprt
from tests.arena.matches.made_games import block_of, duel, game_of, standing_of
from tests.arena.setups import setup_of

FOUR = setup_of("paranoid/area", "paranoid/length", blocks=4, test=Sprt(0, 20))
THREE = setup_of(*["paranoid/area"] * 3, test=Sprt(0, 20))


@pytest.fixture
def standing() -> Standing:
    """Two blocks of a match with a test."""
    standing = Standing(setup_of("paranoid/area", "paranoid/length", test=Sprt(0, 20)))
    standing.add(duel(1, 1))
    standing.add(duel(1, 0))
    return standing


def watch(standing: Standing, ended: list[int]) -> None:
    """Show a match of four pairs of games at these numbers of ended pairs."""
    with MatchProgress(FOUR) as shown:
        for count in ended:
            shown.block_ended(standing, count)


def test_the_last_block_prints_a_line(standing: Standing, capsys: pytest.CaptureFixture[str]) -> None:
    """A short match prints its start, and at its end games, rate and the first entrant's statistics."""
    watch(standing, [0, 1, 2, 3, 4])
    out, err = capsys.readouterr()
    begun, line = err.splitlines()
    assert begun == "0 of 8 games"
    assert out == ""
    assert line.startswith("8 of 8 games, ")
    assert "a minute: Elo +" in line
    assert "LLR " in line


def test_a_long_match_prints_lines_now_and_then(
    standing: Standing, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the interval each block is printed, except the first of a resumed match."""
    monkeypatch.setattr("arena.matches.progress.LINE_SECONDS", 0.0)
    watch(standing, [2, 3])
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("4 of 8 games, 0.0 a minute: ")
    assert second.startswith("6 of 8 games, ")
    assert re.search(r" a minute, at most \d+ s left: ", second)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")],
)
def test_time_is_told_in_two_units(seconds: float, text: str) -> None:
    """A duration has minutes and seconds, or hours and minutes."""
    assert duration_text(seconds) == text


def test_points_have_one_interval() -> None:
    """The progress and the tables show the same interval of the points, and the progress counts faults."""
    faulty = block_of(game_of((0, 1), (None, 9), faults={(0, 1): "late"}), game_of((1, 0), (9, None)))
    blocks = [faulty, *[duel(1, 1), duel(1, 0), duel(0, 0)] * 4]
    standing = standing_of(setup_of("greedy", "coward", company=1), *blocks)
    [points] = [value for name, value in findings.summary(standing).rows if name == "Points"]
    low, high = (float(number) for number in re.findall(r"\d+\.\d", points)[1:3])
    assert f"({low:.1f}% to {high:.1f}%)" in one_line(standing)
    assert one_line(standing).endswith(", 1 fault")
