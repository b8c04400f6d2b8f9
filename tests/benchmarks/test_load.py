"""The load benchmark with a real searcher, gateway and games."""

import subprocess
import sys

import pytest

from benchmarks.games import Move
from benchmarks.load import COLUMNS, Round
from tests.support.services import COMPILED_WITHIN, ROOT


@pytest.mark.alone
def test_a_load_run_reports_every_round() -> None:
    """More games make more moves with fewer nodes each, and every round reports its cost."""
    command = [sys.executable, "-m", "benchmarks.load", "--games", "1,4", "--seconds", "2", "--watched"]
    run = subprocess.run(
        command, cwd=ROOT, check=True, timeout=COMPILED_WITHIN, capture_output=True, text=True
    )
    assert "`auto` (`crowd/hungry` and `paranoid/hungry`)" in run.stderr
    _, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in run.stdout.splitlines())
    alone, four = (
        {name: float(cell.replace(",", "")) for name, cell in zip(COLUMNS, row, strict=True)} for row in rows
    )
    # A game waits for a search at nearly all times.
    assert 0.5 < alone["searches a core"] <= 1.1
    assert 2 < four["searches a core"] <= 4.1
    assert alone["games a core"] < four["games a core"]
    assert alone["moves/s"] < four["moves/s"]
    assert alone["nodes a move"] > four["nodes a move"] > 0
    for figures in (alone, four):
        moves = figures["search"] + figures["best so far"] + figures["reflex"]
        assert 0 <= figures["late"] <= moves
        assert moves > 0
        assert 0 < figures["least share"] <= 1
        assert figures["searcher cores"] > 0
        assert figures["gateway ms a move"] > 0


def test_a_game_with_fewer_nodes_has_a_smaller_share() -> None:
    """The share compares moves in the same position, because positions differ in their nodes."""

    def move(game: str, position: int, nodes: int) -> Move:
        return Move(game, position, "duel", 1.0, 450.0, "search", 9, nodes)

    fair = [move("a", 0, 1000), move("b", 0, 1000), move("a", 1, 10), move("b", 1, 10), move("b", 1, 10)]
    assert Round(2, 1.0, fair, {}, 0.0).least_share == 1
    unfair = [move("a", 0, 500), move("b", 0, 1500)]
    assert Round(2, 1.0, unfair, {}, 0.0).least_share == 0.5
