"""Trials of evaluators: good ones pass, and the faults of others are reported with their places."""

import json
import re
import signal
from pathlib import Path

import pytest

from searcher.trials.hints import AS_STEPS, BELOW_ZERO
from searcher.trials.trial import warnings_about
from tests.searcher.command_line import ROOT, assert_refused, run
from tests.searcher.plugins.packages import GOOD, PACKAGE, path_with, unpack
from tests.searcher.trials.faulty import ENDLESS, FAULTY, USELESS, assert_reported

BODY = ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json"

TRY_HERE = """
from searcher.strategies import evaluators
from searcher.trials.trial import CpuLimits, run_trials

run_trials([evaluators()["endless"]], print, CpuLimits(running=1))
"""

TRY_BRIEFLY = """
import sys

from searcher.strategies import evaluators
from searcher.trials.runner import trial_outcomes
from searcher.trials.trial import CpuLimits

names = "endless", "idle", "shy"
for limits, names in ((CpuLimits(running=1), names), (CpuLimits(compiling=1), ["huge"])):
    for evaluator, outcome in trial_outcomes([evaluators()[name] for name in names], limits):
        print(outcome or f"{evaluator.name} passes")
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package of good evaluators and of faulty ones."""
    folder = tmp_path_factory.mktemp("site")
    modules = GOOD | ENDLESS | USELESS | {name: text for name, (text, *_) in FAULTY.items()}
    unpack(folder, modules, {name: f"{PACKAGE}.{name}" for name in modules.keys() - {"heads"}})
    return folder


def try_at(site: Path, *arguments: str) -> list[str]:
    """Return the lines of `try`, which finds the evaluators of a folder and fails for the faulty ones."""
    done = run("-m", "searcher", "try", *arguments, settings={"PYTHONPATH": path_with(site)})
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 1
    return done.stdout.splitlines()


WARNINGS = {
    "far": "often returns 39, which a search clamps to -1 or 1",
    "flat": "can't tell positions apart: it returns 1 for all 404 that it was tried on",
    "listing": "allocates memory at each call, so it is slower, and each process compiles it again "
    "(the toolkit's cells and stack need no memory)",
    "dropping": "drops the value of score + 1; assign or return it, or remove the line",
    "last_seat": BELOW_ZERO,
    "far_away": AS_STEPS,
    "guessing": "draws random numbers, so two searches of the same position differ",
    "toiling": "is slow, so searches with it reach a small depth",
}
"""The warnings about the evaluators in USELESS."""

LINES = {"dropping": 10, "last_seat": 13}
"""The lines of these warnings, if it isn't the line of `evaluate`."""


def test_every_fault_is_reported_with_its_place(site: Path) -> None:
    """Each has a line with the reason, the file and the line, even if it ends its process.

    Values that a search can't use are no fault; a warning quotes them and names the place.
    """
    lines = try_at(site, *sorted({*FAULTY, *USELESS, "shy"}))
    [shy] = (line for line in lines if "evaluator shy " in line)
    assert 1 <= nanoseconds_in(shy, "evaluator shy is fine") < 100_000
    for name in FAULTY:
        assert_reported(lines, name, site)
    for name, warning in WARNINGS.items():
        [line] = (line for line in lines if f"evaluator {name} runs" in line)
        said = f"evaluator {name} runs, but {warning} ({site}/{PACKAGE}/{name}.py:{LINES.get(name, 8)})"
        assert (nanoseconds_in(line, said) > 5_000) == (name == "toiling")


def nanoseconds_in(line: str, said: str) -> int:
    """Return the time of an evaluation in a line of `try` that begins with what is said."""
    found = re.fullmatch(re.escape(said) + r", ([\d,]+) ns an evaluation", line)
    assert found, line
    return int(found[1].replace(",", ""))


def test_evaluators_of_this_project_pass() -> None:
    """None has a warning: the positions differ enough for each of them."""
    done = run("-m", "searcher", "try", "area", "balanced", "solo")
    said = sorted(line.partition(",")[0] for line in done.stdout.splitlines())
    assert said == [f"evaluator {name} is fine" for name in ("area", "balanced", "solo")]
    assert done.returncode == 0


def test_values_of_both_signs_are_clamped_too() -> None:
    """Values far from 0 are reported even if their median is 0."""
    assert list(warnings_about([-30.0, -3.0, 0.0, 3.0, 20.0])) == [WARNINGS["far"].replace("39", "3")]
    assert list(warnings_about([-30.0, -0.5, 0.0, 0.5, 20.0])) == []


def test_outcomes_as_json(site: Path) -> None:
    """Each evaluator has a line of JSON: its fault, its warning, or null; those not loaded come first."""
    arguments = ("--json", "misspelt", "far", "shy", "garbled")
    garbled, misspelt, far, fine = map(json.loads, try_at(site, *arguments))
    files = {name: f"{site}/{PACKAGE}/{name}.py" for name in arguments}
    assert (garbled["evaluator"], garbled["file"]) == ("garbled", files["garbled"])
    assert misspelt.keys() == garbled.keys() == {"evaluator", "reason", "file", "line"}
    assert (misspelt["evaluator"], misspelt["file"], misspelt["line"]) == ("misspelt", files["misspelt"], 10)
    assert far == {"evaluator": "far", "warning": WARNINGS["far"], "file": files["far"], "line": 8}
    assert fine is None


def test_an_endless_evaluation_is_a_fault(site: Path) -> None:
    """The fault names what does not end and where that begins; other evaluators are tried all the same."""
    done = run("-c", TRY_BRIEFLY, settings={"PYTHONPATH": path_with(site)})
    unfinished = "evaluate must return a float, but each of its paths returns nothing or does not end"
    assert done.stdout.splitlines() == [
        f"evaluator endless is left out: evaluate does not end ({site}/{PACKAGE}/endless.py:8)",
        f"evaluator idle is left out: {unfinished} ({site}/{PACKAGE}/idle.py:8)",
        "shy passes",
        f"evaluator huge is left out: compiling does not end within 1 s ({site}/{PACKAGE}/huge.py:8)",
    ]


def test_a_trial_ends(site: Path) -> None:
    """The process of an endless evaluator is ended, even if no other process waits for it."""
    done = run("-c", TRY_HERE, settings={"PYTHONPATH": path_with(site)})
    assert done.returncode == -signal.SIGXCPU
    assert done.stdout.splitlines() == ["Step.COMPILE", "Step.EVALUATE"]


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
    error = f"evaluator misspelt can't play: {reason} ({site}/{PACKAGE}/{place})"
    assert_refused(done, error)
