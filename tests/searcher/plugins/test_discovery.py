"""Evaluators of installed packages: a good one plays, and a faulty one is reported and left out."""

import json
import os
import shutil
import signal
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from searcher.engine.jit.code_cache import CACHE_DIRECTORY
from tests.searcher.commands import ROOT, assert_refused, run
from tests.searcher.plugins.packages import GOOD, PACKAGE, install, source, unpack
from tests.support.services import moves_by_source, running_gateway

PATIENCE = 240.0
"""Seconds until a plug-in plays. Compiling the default strategy takes most of them if the cache is cold."""

BODY = ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json"

ROUTES = """
[[snakes]]
path = "/shy"

[[snakes.arms]]
name = "only"
strategy = "paranoid/shy"
evaluator_weights = { distance = 0.5 }
"""

BROKEN = {
    "raising": (
        source("return heads.strict(board.health[snake])"),
        "ValueError: too hungry",
        "heads.py:20",
    ),
    "misspelt": (source("one = 1\nreturn board.lenght[snake] + one"), "'lenght'", "misspelt.py:10"),
    "unknown": (
        source("return 1.0 + nothing(board)"),
        "name 'nothing' is not defined",
        "unknown.py:8",
    ),
    "plain": (
        source("return plain(board.health[snake])", "from plugged_snake.heads import plain"),
        "calls needs @njit",
        "plain.py:9",
    ),
    "mistyped": (source("return 'good'"), "must return a float", "mistyped.py:8"),
    "unreal": (source("return 0.0 / weights.values[9]"), "returns nan", "unreal.py:8"),
    "outside": (source("return board.health[snake + 99] + 0.0"), "out of bounds", "outside.py:8"),
    "writing": (source("board.health[snake] = 100\nreturn 0.0"), "changes", "writing.py:8"),
    "crashing": (
        source(
            "return peek(board.health[snake] * 0) + 0.0", "from searcher.engine.jit.intrinsics import peek"
        ),
        "Segmentation fault",
        "crashing.py:8",
    ),
    "importing": (
        source("return 0.0", "import nothing_like_it"),
        "No module named",
        "importing.py:3",
    ),
    "garbled": ("\ndef evaluate(:", "invalid syntax", "garbled.py:2"),
    "bare": ("DESCRIPTION = 'For a test.'", "WEIGHTS is missing", "bare.py:1"),
    "heavy": (
        source("return 0.0", weights='(Weight("a", 2.0, 0.0, 1.0, "x"),)'),
        "WEIGHTS [0], 'a': default must be 0.0 to 1.0, is 2.0",
        "heavy.py:5",
    ),
    "twice": (
        source("return 0.0", weights='(Weight("a", 0.0, 0.0, 1.0, "x"),) * 2'),
        "WEIGHTS [1], 'a': name is given twice",
        "twice.py:5",
    ),
    "few": ("DESCRIPTION = 'x'\nWEIGHTS = ()\n\ndef evaluate(game): ...", "takes (game)", "few.py:4"),
    "narrow": (
        source("return 0.0") + "\n\ndef at_least(game): ...\n",
        "at_least must take (game, board, weights, snake, move), takes (game)",
        "narrow.py:11",
    ),
    "promising": (
        source("return board.length[snake] / 100.0")
        + "\n\ndef at_least(game, board, weights, snake, move):\n    return 0.5\n",
        "at_least returns 0.5 for a move after which",
        "promising.py:8",
    ),
    "area": (
        source("return 0.0"),
        "the name 'area' is taken by searcher.evaluators.area",
        "area.py:1",
    ),
}
"""By name: the source, the reason of its fault, and the fault's place."""

FAR = source("return 3 * board.length[snake]")

ENDLESS = source("total = 0\nwhile total <= board.health[snake]:\n    total ^= 1\nreturn total")

TRY_BRIEFLY = """
import sys

from searcher.strategies import evaluators
from searcher.trials.trial import run_trials

run_trials([evaluators()["endless"]], sys.stdout, as_json=False, cpu_seconds=1)
"""

ASK = """
from searcher.engine.search import kernels
from searcher.engine.rules.packing import pack
from searcher.strategies import evaluators
from tests.searcher.engine.positions import recorded_positions
from tests.searcher.evaluators.test_contract import value

packed = pack(recorded_positions()[0])
evaluator = evaluators()["shy"]
function = kernels.evaluator_function(evaluator.evaluate, packed.shape)
print(function.is_cached(), value(evaluator, packed, [0.0, 1.0], 0), function.is_cached())
"""
"""Prints whether the evaluator is cached, its value of a position, and whether it is cached then."""


@pytest.fixture(autouse=True)
def cleared_cache() -> Iterator[None]:
    """Delete the code that was compiled for a test's package: nothing else uses it."""
    yield
    if CACHE_DIRECTORY is not None:
        for folder in CACHE_DIRECTORY.glob(f"{PACKAGE}_*"):
            shutil.rmtree(folder)
        for mark in CACHE_DIRECTORY.glob("tried/shy-*"):
            mark.unlink()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package of a good evaluator and all faulty ones."""
    folder = tmp_path_factory.mktemp("site")
    broken = {name: text for name, (text, *_) in BROKEN.items()} | {"endless": ENDLESS, "far": FAR}
    unpack(folder, GOOD | broken, {name: f"{PACKAGE}.{name}" for name in (*broken, "shy")})
    return folder


def path_with(folder: Path) -> str:
    """Return a PYTHONPATH with a folder of installed packages."""
    return os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", str(ROOT))])


def answer(url: str, body: bytes) -> Any:
    """Return a snake's response to a /move request."""
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=5) as response:
        return json.load(response)


def assert_reported(lines: list[str], name: str, site: Path) -> None:
    """Assert that one of the lines has the reason and the place of an evaluator's fault."""
    _, reason, place = BROKEN[name]
    (line,) = (line for line in lines if f"evaluator {name} is left out: " in line)
    assert reason in line
    assert f"({site}/{PACKAGE}/{place})" in line


def test_a_package_plays_and_a_faulty_one_is_reported(tmp_path: Path) -> None:
    """A routes file is enough to play an installed evaluator; the log has the faults of the others."""
    site, log, routes = tmp_path / "site", tmp_path / "log", tmp_path / "routes.toml"
    modules = GOOD | {"crashing": BROKEN["crashing"][0]}
    install(site, modules, {name: f"{PACKAGE}.{name}" for name in ("shy", "absent", "crashing")})
    routes.write_text(ROUTES)
    settings = {"PYTHONPATH": path_with(site), "SEARCHER_ONLY": "paranoid/shy paranoid/crashing"}
    with running_gateway(log, "--routes", routes, **settings) as url:
        deadline = time.monotonic() + PATIENCE
        while moves_by_source(url)["search"] == 0 and time.monotonic() < deadline:
            assert answer(f"{url}/shy/move", BODY.read_bytes())["move"] in ("up", "down", "left", "right")
            time.sleep(0.2)
        assert moves_by_source(url)["search"] > 0, log.read_text()[-3000:]
    faults = [line for line in log.read_text().splitlines() if "is left out" in line]
    assert len(faults) == 2
    assert f"No module named '{PACKAGE}.absent'" in faults[0]
    assert_reported(faults, "crashing", site)


def test_every_fault_is_reported_with_its_place(site: Path) -> None:
    """Each has a line with the reason, the file and the line; a good evaluator is fine, or has a warning."""
    names = sorted({*BROKEN, "shy", "far"} - {"crashing"})
    done = run("-m", "searcher", "try", *names, settings={"PYTHONPATH": path_with(site)})
    assert "Traceback" not in done.stderr, done.stderr
    lines = done.stdout.splitlines()
    assert "evaluator shy is fine" in lines
    assert any(line.startswith("evaluator far is fine, though it often returns ") for line in lines)
    for name in BROKEN.keys() - {"crashing"}:
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
    _, reason, place = BROKEN["misspelt"]
    done = run("-m", *command, settings={"PYTHONPATH": path_with(site)})
    error = f"evaluator misspelt can't play: KeyError: {reason} ({site}/{PACKAGE}/{place})"
    assert_refused(done, error)


def test_a_changed_helper_is_noticed(tmp_path: Path) -> None:
    """The cache notices a change in any file of the evaluator's package."""
    site, helper = tmp_path / "site", tmp_path / "site" / PACKAGE / "heads.py"
    unpack(site, GOOD, {"shy": f"{PACKAGE}.shy"})
    settings = {"PYTHONPATH": path_with(site)}
    first = run("-c", ASK, settings=settings).stdout.split()
    helper.write_text(helper.read_text().replace("return nearest", "return 0.5 * nearest"))
    changed = run("-c", ASK, settings=settings).stdout.split()
    assert first[::2] == changed[::2] == ["False", "True"]
    assert float(changed[1]) == 0.5 * float(first[1]) != 0
