"""Warnings from an evaluator's source, and none about the evaluators of the pages."""

import json
import re
from pathlib import Path

import pytest

from tests.searcher.command_line import ROOT, run
from tests.searcher.plugins.packages import GOOD, PACKAGE, alone, path_with, source, unpack

STEPS = "_, _, steps = reach(game, board, snake)\n"
REACH = "from searcher.toolkit import NOWHERE, njit, reach"

HANDLED = {
    "bounded": alone(
        f"{STEPS}tested = -1.0 if steps == NOWHERE else 1 - steps / 22\n"
        "return (tested + 0.9 ** steps - min(steps, 22) / 22) / 3",
        REACH,
    ),
    "random": alone(f"{STEPS}return random.random() / steps", f"import random; {REACH}"),
    "shared": source(
        "return -1.0 if heads.steps(game, board, snake) == NOWHERE else 0.5", REACH.replace("reach", "area")
    ),
}
"""Evaluators that don't count NOWHERE as steps."""

STALLING = alone("return 0.5", "import sys\n\nwhile hasattr(sys.modules[__name__], 'evaluate'):\n    pass")
"""An evaluator whose module can't be run twice, so that its copy never ends."""

HEADS = f"""
{REACH}


@njit
def steps(game, board, snake):
    return reach(game, board, snake)[2]
"""

HINTS = """
import sys
from dataclasses import replace
from pathlib import Path

from searcher.engine.rules.records import shapes_for
from searcher.positions.move_body import position_in
from searcher.session import evaluate
from searcher.strategies import evaluators, strategy_of
from searcher.trials.hints import hints_about
from tests.searcher.requests import read_body

body, *names = sys.argv[1:]
for name in names:
    print(name, hints_about(evaluators()[name]))
for turn in (99, 100):
    position = replace(position_in(read_body(Path(body))), turn=turn)
    found = evaluate(position, strategy_of("paranoid", "phased"), shapes_for(position)[0])
    print(turn, *(f"{snake.value:.3f}" for snake in found[:2]))
"""

CHECK_BRIEFLY = """
from searcher.strategies import evaluators
from searcher.trials.outcome import LIMITS, Step
from searcher.trials.runner import trial_outcomes

candidates = [evaluators()["stalling"]]
[(_, outcome)] = trial_outcomes(candidates, {**LIMITS, Step.HINTS: 1}, with_hints=True)
print(outcome)
"""


def documented() -> dict[str, str]:
    """Return the source of each whole evaluator of the pages, by a name of its own."""
    text = "".join((ROOT / "docs" / page).read_text() for page in ("evaluators.md", "start/evaluator.md"))
    blocks = [code for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "DESCRIPTION" in code]
    return dict(zip(("shy", "phased", "mine"), blocks, strict=True))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package of these evaluators."""
    folder = tmp_path_factory.mktemp("site")
    modules = GOOD | {"heads": HEADS, "stalling": STALLING} | HANDLED | documented()
    unpack(folder, modules, {name: f"{PACKAGE}.{name}" for name in modules.keys() - {"heads"}})
    return folder


def test_evaluators_without_a_mistake_have_no_warning(site: Path) -> None:
    """The evaluators of the pages, the ways to handle NOWHERE, and an evaluator of this project.

    `phased` compares lengths until turn 99, and from turn 100 on takes the health.
    """
    body = ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json"
    names = sorted({*HANDLED, *documented(), "balanced"})
    done = run("-c", HINTS, str(body), *names, settings={"PYTHONPATH": path_with(site)})
    *hints, before, after = done.stdout.splitlines()
    assert hints == [f"{name} []" for name in names], done.stderr
    assert before == "99 0.222 -0.375"
    healths = [snake["health"] / 100 for snake in json.loads(body.read_text())["board"]["snakes"]]
    assert after == f"100 {healths[0]:.3f} {healths[1]:.3f}"


def test_an_evaluator_is_valid_without_its_check(site: Path) -> None:
    """If the check for warnings ends its process, a warning says so."""
    done = run("-c", CHECK_BRIEFLY, settings={"PYTHONPATH": path_with(site)})
    reason = "could not be checked for all warnings: the check does not end within 1 s"
    said = f"evaluator stalling runs, but {reason} ({site}/{PACKAGE}/stalling.py:11)\n"
    assert done.stdout == said, done.stderr
