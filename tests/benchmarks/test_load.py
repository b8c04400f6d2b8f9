"""The load run, with a real searcher, gateway and games."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.services import COMPILED_WITHIN, ROOT


@pytest.mark.alone
def test_a_load_run_counts_all_that_was_asked(tmp_path: Path) -> None:
    """More games get more moves, and a lesser search for each; every round says what it took."""
    file = tmp_path / "load.json"
    command = [
        sys.executable,
        "-m",
        "benchmarks.load",
        "--games",
        "1,4",
        "--seconds",
        "3",
        "--json",
        str(file),
    ]
    subprocess.run(command, cwd=ROOT, check=True, timeout=COMPILED_WITHIN, capture_output=True)
    alone, four = json.loads(file.read_text())["rounds"]
    assert alone["games a core"] < four["games a core"]
    assert alone["moves/s"] < four["moves/s"]
    assert alone["nodes a move"] > four["nodes a move"] > 0
    for figures in (alone, four):
        moves = figures["search"] + figures["best so far"] + figures["reflex"]
        assert 0 <= figures["late"] <= moves
        assert moves > 0
        assert figures["searcher cores"] > 0
        assert figures["gateway ms a move"] > 0
