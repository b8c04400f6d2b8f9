"""Warnings from an evaluator's source, and none about the evaluators of the pages."""

import json
import re
from pathlib import Path

import pytest

from tests.searcher.command_line import ROOT, run
from tests.searcher.plugins.packages import GOOD, PACKAGE, alone, path_with, source, unpack

BODY = ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json"

STEPS = "_, _, steps = reach(game, board, snake)\n"
REACH = "from searcher.toolkit import NOWHERE, njit, reach"

HANDLED = {
    "bounded": alone(f"{STEPS}return 1 - min(steps, 22) / 22", REACH),
    "tested": alone(f"{STEPS}return -1.0 if steps == NOWHERE else 1 - steps / 22", REACH),
    "fading": alone(f"{STEPS}return 0.9 ** steps", REACH),
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

from searcher.strategies import evaluators
from searcher.trials.hints import hints_about

for name in sys.argv[1:]:
    print(name, hints_about(evaluators()[name]))
"""

EXAMINE_BRIEFLY = """
from searcher.strategies import evaluators
from searcher.trials.cpu_limits import CpuLimits
from searcher.trials.runner import examined

print(examined(evaluators()["stalling"], None, CpuLimits(hints=1))[0])
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
    """The evaluators of the pages, and the ways to handle NOWHERE."""
    names = sorted({*HANDLED, *documented()})
    done = run("-c", HINTS, *names, settings={"PYTHONPATH": path_with(site)})
    assert done.stdout.splitlines() == [f"{name} []" for name in names], done.stderr


def test_an_evaluator_is_valid_without_its_examination(site: Path) -> None:
    """If the examination for warnings ends its process, a warning says so."""
    done = run("-c", EXAMINE_BRIEFLY, settings={"PYTHONPATH": path_with(site)})
    said = f"evaluator stalling runs, but could not be checked for all warnings within 1 s ({site}/{PACKAGE}"
    assert done.stdout.startswith(said), done.stdout + done.stderr


@pytest.mark.parametrize(("turn", "score"), [(98, -0.375), (99, 0.66)])
def test_an_evaluator_of_the_page_changes_with_the_turn(
    site: Path, tmp_path: Path, turn: int, score: float
) -> None:
    """`phased` compares lengths, 5 and 11, at a leaf of turn 99, and takes the health at one of turn 100."""
    body = tmp_path / "body.json"
    body.write_text(json.dumps(json.loads(BODY.read_text()) | {"turn": turn}))
    options = ("--strategy", "paranoid/phased", "--depth", "1", "--json")
    done = run("-m", "searcher", "analyze", str(body), *options, settings={"PYTHONPATH": path_with(site)})
    [depth] = json.loads(done.stdout)["depths"]
    assert depth["score"] == pytest.approx(score, abs=0.001)
