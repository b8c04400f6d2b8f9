"""Trials of evaluators: good ones pass, and the faults of others are reported with their places."""

import json
import signal
from pathlib import Path

import pytest

from searcher.strategies import evaluators
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

compiling, running, *names = sys.argv[1:]
limits = CpuLimits(int(compiling), int(running))
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
    """Return the lines of `try`, which finds the evaluators of a folder."""
    done = run("-m", "searcher", "try", *arguments, settings={"PYTHONPATH": path_with(site)})
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == (0 if set(arguments) <= {*GOOD, *USELESS, "--json"} else 1)
    return done.stdout.splitlines()


def test_every_fault_is_reported_with_its_place(site: Path) -> None:
    """Each has a line with the reason, the file and the line, even if it ends its process."""
    lines = try_at(site, *sorted({*FAULTY, "shy"}))
    assert "evaluator shy is fine" in lines
    for name in FAULTY:
        assert_reported(lines, name, site)


def test_useless_values_are_reported(site: Path) -> None:
    """Values that a search can't use are no fault; a warning quotes them and names the place."""
    warnings = {
        "far": "often returns 12, which a search clamps to -1 or 1",
        "flat": "can't tell positions apart: it returns 1 for all 132 that it was tried on",
    }
    files = {name: f"{site}/{PACKAGE}/{name}.py" for name in USELESS}
    assert try_at(site, *USELESS) == [
        f"evaluator {name} runs, but {warnings[name]} ({files[name]}:8)" for name in USELESS
    ]
    assert [json.loads(line) for line in try_at(site, "--json", *USELESS)] == [
        {"evaluator": name, "warning": warnings[name], "file": files[name], "line": 8} for name in USELESS
    ]


def test_the_evaluators_of_this_project_pass() -> None:
    """Without names all are tried, and none has a warning: the positions differ enough for each of them."""
    done = run("-m", "searcher", "try")
    assert done.stdout.splitlines() == [f"evaluator {name} is fine" for name in evaluators()]


def test_faults_as_json(site: Path) -> None:
    """Each evaluator has a line of JSON: null if it is fine, or its fault; others are tried after it."""
    endless, misspelt, fine = map(json.loads, try_at(site, "--json", "endless", "misspelt", "shy"))
    file = f"{site}/{PACKAGE}/endless.py"
    reason = "evaluate does not end"
    assert endless == {"evaluator": "endless", "reason": reason, "file": file, "line": 8}
    assert misspelt.keys() == endless.keys()
    assert fine is None


def test_an_evaluator_that_was_not_loaded_has_its_line_of_json(site: Path) -> None:
    """Errors at import are faults like others."""
    (line,) = try_at(site, "--json", "garbled")
    assert json.loads(line)["file"] == f"{site}/{PACKAGE}/garbled.py"


@pytest.mark.parametrize(
    ("name", "compiling", "running", "reason", "line"),
    [
        ("endless", 60, 1, "evaluate does not end", 8),
        ("idle", 60, 1, "evaluate must return a float, but it returns nothing or does not end", 8),
        ("hopeful", 60, 1, "at_least does not end", 11),
        ("huge", 1, 60, "compiling does not end within 1 s", 8),
    ],
)
def test_what_does_not_end_is_a_fault(
    site: Path, name: str, compiling: int, running: int, reason: str, line: int
) -> None:
    """The fault names what does not end and where that begins; other evaluators are tried all the same."""
    arguments = map(str, (compiling, running, name, *(["shy"] if compiling > 1 else [])))
    done = run("-c", TRY_BRIEFLY, *arguments, settings={"PYTHONPATH": path_with(site)})
    fault, *others = done.stdout.splitlines()
    assert fault == f"evaluator {name} is left out: {reason} ({site}/{PACKAGE}/{name}.py:{line})"
    assert others == (["shy passes"] if compiling > 1 else [])


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
    error = f"evaluator misspelt can't play: KeyError: {reason} ({site}/{PACKAGE}/{place})"
    assert_refused(done, error)
