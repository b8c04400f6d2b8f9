"""The load benchmark with a real searcher, gateway and games."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.games import Move
from benchmarks.load import Round
from tests.support.services import COMPILED_WITHIN, ROOT


@pytest.mark.alone
def test_a_load_run_reports_every_round(tmp_path: Path) -> None:
    """More games make more moves with fewer nodes each, and every round reports its cost."""
    file = tmp_path / "load.json"
    command = [
        sys.executable,
        "-m",
        "benchmarks.load",
        "--games",
        "1,4",
        "--seconds",
        "2",
        "--watched",
        "--json",
        str(file),
    ]
    subprocess.run(command, cwd=ROOT, check=True, timeout=COMPILED_WITHIN, capture_output=True)
    run = json.loads(file.read_text())
    assert run["strategy"] == "`auto` (`crowd/hungry` and `paranoid/hungry`)"
    alone, four = run["rounds"]
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
