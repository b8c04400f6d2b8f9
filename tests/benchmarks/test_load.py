"""The load benchmark with a real searcher, gateway and games."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

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
        "3",
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
        assert figures["searcher cores"] > 0
        assert figures["gateway ms a move"] > 0
