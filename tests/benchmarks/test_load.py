"""The load benchmark with a real searcher, gateway and games."""

import subprocess
import sys

import pytest

from benchmarks.load import COLUMNS
from tests.support.services import COMPILED_WITHIN, ROOT


@pytest.mark.alone
def test_a_load_run_reports_every_round() -> None:
    """More games make more moves, and every round reports its cost."""
    command = [sys.executable, "-m", "benchmarks.load", "--games", "1,4", "--seconds", "2"]
    run = subprocess.run(
        command, cwd=ROOT, check=True, timeout=COMPILED_WITHIN, capture_output=True, text=True
    )
    _, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in run.stdout.splitlines())
    alone, four = (
        {name: float(cell.replace(",", "")) for name, cell in zip(COLUMNS, row, strict=True)} for row in rows
    )
    # A game waits for a search at nearly all times.
    assert 0.5 < alone["searches a core"] <= 1.1
    assert 2 < four["searches a core"] <= 4.1
    assert alone["games a core"] < four["games a core"]
    assert alone["moves/s"] < four["moves/s"]
    for figures in (alone, four):
        moves = figures["search"] + figures["best so far"] + figures["reflex"]
        assert 0 <= figures["late"] <= moves
        assert moves > 0
        assert figures["searcher cores"] > 0
        assert figures["gateway ms a move"] > 0
