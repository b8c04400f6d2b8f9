"""The progress that commands show when they compile."""

import gzip
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from searcher.engine.jit.code_cache import CACHE
from tests.searcher.command_line import ROOT, run
from tests.support.terminal import on_terminal

DUEL = "tests/fixtures/requests/standard-move-late-84.json"
TRANSITIONS = ROOT / "tests" / "fixtures" / "transitions.jsonl.gz"

SMALL = ("--size", "7", "--nodes", "20", "--max-turns", "20")
MATCH = ("arena", "match", "paranoid/area", "paranoid/length", "--games", "2", *SMALL)
TUNE = ("arena", "tune", "area", "--weights", "hunger", "--against", "paranoid/length", *SMALL)
FEW = ("--trials", "1", "--pairs", "1", "--finalists", "1", "--final-pairs", "1")
LENGTH = ("--strategy", "paranoid/length", "--time", "50")

SEARCHES = {
    "analyze": ("searcher", "analyze", DUEL, *LENGTH),
    "match": MATCH,
    "tune": (*TUNE, *FEW, "--output", "{folder}/best.toml"),
    "threads": ("benchmarks.threads", "--positions", "1", *LENGTH),
}
"""Commands that search with the evaluator `length` on boards for two snakes."""

REPLAYS = {
    "openings": (
        "arena",
        "openings",
        "{folder}/match.jsonl",
        "--turn",
        "1",
        "--output",
        "{folder}/book.jsonl",
    ),
    "report": ("arena", "report", "{folder}/match.jsonl"),
    "conformance": ("searcher", "conformance", "{folder}/turns.jsonl"),
}
"""Commands that only play turns on such boards."""

ERASE = "\x1b[2K"
"""The control characters that erase a line of a terminal."""

Lacking = Callable[[str], Path]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a match and a recorded turn. Everything that the match runs is in the cache."""
    folder = tmp_path_factory.mktemp("commands")
    with gzip.open(TRANSITIONS, "rt") as lines:
        duel = next(line for line in lines if len(json.loads(line)["before"]["snakes"]) == 2)
    (folder / "turns.jsonl").write_text(duel)
    done = run("-m", *MATCH, "--output", str(folder / "match.jsonl"))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def lacking(folder: Path, tmp_path: Path) -> Lacking:
    """Makes a cache that has all but the functions whose files have a name like this."""

    def make(pattern: str) -> Path:
        folder = tmp_path / CACHE.parent.name / CACHE.name
        # Other tests may be compiling, in folders that come and go.
        unwanted = shutil.ignore_patterns(pattern, f"{tempfile.gettempprefix()}*")
        shutil.copytree(CACHE, folder, copy_function=os.symlink, ignore=unwanted)
        return tmp_path

    return make


def runs(command: tuple[str, ...], folder: Path, cache: Path) -> list[subprocess.CompletedProcess[str]]:
    """Run a command twice with a cache."""
    arguments = [part.format(folder=folder) for part in command]
    twice = [run("-m", *arguments, cache=cache) for _ in range(2)]
    assert [done.returncode for done in twice] == [0, 0], twice[0].stderr
    return twice


@pytest.mark.parametrize("name", SEARCHES)
def test_a_command_that_compiles_a_strategy_shows_it(name: str, folder: Path, lacking: Lacking) -> None:
    """Standard error says what is compiled, before anything else; the second time nothing is."""
    first, second = runs(SEARCHES[name], folder, lacking("*length.evaluate*"))
    label = "paranoid/length for 2 snakes on 11x11: evaluate"
    assert first.stderr.splitlines()[:2] == [f"[0/1] compiling {label}", f"[1/1] compiled {label}"]
    assert "compil" not in first.stdout + second.stdout + second.stderr


@pytest.mark.parametrize("name", REPLAYS)
def test_a_command_that_compiles_the_rules_shows_it(name: str, folder: Path, lacking: Lacking) -> None:
    """The same holds for commands that play turns without a search."""
    first, second = runs(REPLAYS[name], folder, lacking("*turn._play_turn*"))
    label = "the rules for 2 snakes on 11x11"
    assert first.stderr.splitlines() == [f"[0/1] compiling {label}", f"[1/1] compiled {label}"]
    assert second.stderr == ""
    assert first.stdout == second.stdout


def test_try_shows_what_it_tries() -> None:
    """Standard error says which evaluator is tried, and standard output has only the results."""
    done = run("-m", "searcher", "try", "length")
    assert done.stderr.splitlines() == ["[0/1] trying length"]
    assert done.stdout.splitlines() == ["evaluator length is fine"]


def test_a_bar_disappears() -> None:
    """On a terminal the progress is a bar, which is erased before anything else is printed."""
    with on_terminal("-m", "searcher", "try", "length") as lines:
        shown = "\n".join(lines)
    assert "trying length" in shown
    assert "[0/1]" not in shown
    assert ERASE in shown.rpartition("trying length")[2]
