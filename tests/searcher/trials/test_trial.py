"""Trials of evaluators: good ones pass, and the faults of others are reported with their places."""

import signal
from pathlib import Path

import pytest

from tests.searcher.commands import ROOT, assert_refused, run
from tests.searcher.plugins.packages import GOOD, PACKAGE, path_with, unpack
from tests.searcher.trials.faulty import ENDLESS, FAR, FAULTY, assert_reported

BODY = ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json"

TRY_BRIEFLY = """
import sys

from searcher.strategies import evaluators
from searcher.trials.trial import run_trials

run_trials([evaluators()["endless"]], sys.stdout, as_json=False, cpu_seconds=1)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package of a good evaluator and all faulty ones."""
    folder = tmp_path_factory.mktemp("site")
    broken = {name: text for name, (text, *_) in FAULTY.items()} | {"endless": ENDLESS, "far": FAR}
    unpack(folder, GOOD | broken, {name: f"{PACKAGE}.{name}" for name in (*broken, "shy")})
    return folder


def test_every_fault_is_reported_with_its_place(site: Path) -> None:
    """Each has a line with the reason, the file and the line; a good evaluator is fine, or has a warning."""
    names = sorted({*FAULTY, "shy", "far"} - {"crashing"})
    done = run("-m", "searcher", "try", *names, settings={"PYTHONPATH": path_with(site)})
    assert "Traceback" not in done.stderr, done.stderr
    lines = done.stdout.splitlines()
    assert "evaluator shy is fine" in lines
    assert any(line.startswith("evaluator far is fine, though it often returns ") for line in lines)
    for name in FAULTY.keys() - {"crashing"}:
        assert_reported(lines, name, site)


def test_a_trial_ends(site: Path) -> None:
    """The process of an endless evaluator is ended, even if no other process waits for it."""
    done = run("-c", TRY_BRIEFLY, settings={"PYTHONPATH": path_with(site)})
    assert done.returncode == -signal.SIGXCPU
    assert done.stdout == ""


@pytest.mark.parametrize(
    "command",
    [
        ("searcher", "analyze", str(BODY), "--strategy", "paranoid/misspelt"),
        ("arena", "match", "paranoid/length", "paranoid/misspelt"),
    ],
)
def test_commands_refuse_a_faulty_evaluator(site: Path, command: tuple[str, ...]) -> None:
    """Commands that search in their own process report the fault in one line before they search."""
    _, reason, place = FAULTY["misspelt"]
    done = run("-m", *command, settings={"PYTHONPATH": path_with(site)})
    error = f"evaluator misspelt can't play: KeyError: {reason} ({site}/{PACKAGE}/{place})"
    assert_refused(done, error)
