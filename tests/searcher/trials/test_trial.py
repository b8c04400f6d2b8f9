"""Trials of evaluators: good ones pass, and the faults of others are reported with their places."""

import re
from pathlib import Path

import pytest

from searcher.trials.hints import AS_STEPS, BELOW_ZERO
from searcher.trials.trial import warnings_about
from tests.searcher.command_line import ROOT, assert_refused, run
from tests.searcher.plugins.packages import GOOD, PACKAGE, path_with, unpack
from tests.searcher.trials.faulty import ENDLESS, FAULTY, USELESS, assert_reported

BODY = ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json"

TRY_BRIEFLY = """
from searcher.strategies import evaluators
from searcher.trials.outcome import LIMITS, Step
from searcher.trials.runner import trial_outcomes

for name, step in (("endless", Step.EVALUATE), ("huge", Step.COMPILE)):
    print(*(outcome for _, outcome in trial_outcomes([evaluators()[name]], {**LIMITS, step: 1})))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package of good evaluators and of faulty ones."""
    folder = tmp_path_factory.mktemp("site")
    modules = GOOD | ENDLESS | USELESS | {name: text for name, (text, *_) in FAULTY.items()}
    unpack(folder, modules, {name: f"{PACKAGE}.{name}" for name in modules.keys() - {"heads"}})
    return folder


WARNINGS = {
    "flat": (8, "can't tell positions apart: it returns 1 for all 404 that it was tried on"),
    "careless": (
        8,
        "allocates memory at each call, so it is slower, and each process compiles it again "
        "(the toolkit's cells and stack need no memory); "
        "draws random numbers, so two searches of the same position differ; "
        "drops the value of score + 1; assign or return it, or remove the line (line 13)",
    ),
    "lost": (14, f"{BELOW_ZERO}; {AS_STEPS} (line 8)"),
    "toiling": (
        8,
        "often returns 39, which a search clamps to -1 or 1; "
        "is slow, so searches with it reach a small depth",
    ),
}
"""The lines of the evaluators in USELESS, and the warnings about them."""


def test_every_fault_is_reported_with_its_place(site: Path) -> None:
    """Each has a line with the reason, the file and the line, even if it ends its process.

    Values that a search can't use are no fault; a warning quotes them and names the place.
    """
    names = sorted({*FAULTY, *USELESS, "shy"})
    done = run("-m", "searcher", "try", *names, settings={"PYTHONPATH": path_with(site)})
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    [shy] = (line for line in lines if "evaluator shy " in line)
    assert 1 <= nanoseconds_in(shy, "evaluator shy is fine") < 100_000
    for name in FAULTY:
        assert_reported(lines, name, site)
    for name, (place, warning) in WARNINGS.items():
        [line] = (line for line in lines if f"evaluator {name} runs" in line)
        said = f"evaluator {name} runs, but {warning} ({site}/{PACKAGE}/{name}.py:{place})"
        assert (nanoseconds_in(line, said) > 5_000) == (name == "toiling")


def nanoseconds_in(line: str, said: str) -> int:
    """Return the time of an evaluation in a line of `try` that begins with what is said."""
    found = re.fullmatch(re.escape(said) + r", ([\d,]+) ns an evaluation", line)
    assert found, line
    return int(found[1].replace(",", ""))


def test_values_of_both_signs_are_clamped_too() -> None:
    """Values far from 0 are reported even if their median is 0."""
    warnings = list(warnings_about([-30.0, -3.0, 0.0, 3.0, 20.0]))
    assert warnings == ["often returns 3, which a search clamps to -1 or 1"]
    assert list(warnings_about([-30.0, -0.5, 0.0, 0.5, 20.0])) == []


def test_an_endless_evaluation_is_a_fault(site: Path) -> None:
    """The fault names what does not end and where that begins."""
    done = run("-c", TRY_BRIEFLY, settings={"PYTHONPATH": path_with(site)})
    assert done.stdout.splitlines() == [
        f"evaluator endless is left out: evaluate does not end ({site}/{PACKAGE}/endless.py:8)",
        f"evaluator huge is left out: compiling does not end within 1 s ({site}/{PACKAGE}/huge.py:8)",
    ]


def test_a_command_refuses_a_faulty_evaluator(site: Path) -> None:
    """Commands that search in their own process report the fault in one line before they search."""
    _, reason, place = FAULTY["misspelt"]
    command = ("searcher", "analyze", str(BODY), "--strategy", "paranoid/misspelt")
    done = run("-m", *command, settings={"PYTHONPATH": path_with(site)})
    assert_refused(done, f"evaluator misspelt can't play: {reason} ({site}/{PACKAGE}/{place})")
