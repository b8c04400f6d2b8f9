"""Evaluators of installed packages: a package is installed and plays, a broken one is told and left out."""

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
from tests.searcher.plugins.packages import GOOD, PACKAGE, install, judging, unpack
from tests.support.services import moves_by_source, running_gateway

PATIENCE = 240.0
"""Seconds until a plug-in plays; most of them for compiling the default strategy, when the cache is cold."""

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
    "raising": (judging("return heads.strict(board.health[snake])"), "ValueError: too hungry", "heads.py:20"),
    "misspelt": (judging("one = 1\nreturn board.lenght[snake] + one"), "'lenght'", "misspelt.py:10"),
    "unknown": (judging("return 1.0 + nothing(board)"), "name 'nothing' is not defined", "unknown.py:8"),
    "plain": (
        judging("return plain(board.health[snake])", "from plugged_snake.heads import plain"),
        "calls needs @njit",
        "plain.py:9",
    ),
    "mistyped": (judging("return 'good'"), "must return a float", "mistyped.py:8"),
    "unreal": (judging("return 0.0 / weights.values[9]"), "returns nan", "unreal.py:8"),
    "outside": (judging("return board.health[snake + 99] + 0.0"), "out of bounds", "outside.py:8"),
    "writing": (judging("board.health[snake] = 100\nreturn 0.0"), "changes", "writing.py:8"),
    "crashing": (
        judging(
            "return peek(board.health[snake] * 0) + 0.0", "from searcher.engine.jit.intrinsics import peek"
        ),
        "Segmentation fault",
        "crashing.py:8",
    ),
    "importing": (judging("return 0.0", "import nothing_like_it"), "No module named", "importing.py:3"),
    "garbled": ("\ndef evaluate(:", "invalid syntax", "garbled.py:2"),
    "bare": ("DESCRIPTION = 'For a test.'", "WEIGHTS is missing", "bare.py:1"),
    "heavy": (
        judging("return 0.0", weights='(Weight("a", 2.0, 0.0, 1.0, "x"),)'),
        "WEIGHTS [0], 'a': default must be 0.0 to 1.0, is 2.0",
        "heavy.py:5",
    ),
    "twice": (
        judging("return 0.0", weights='(Weight("a", 0.0, 0.0, 1.0, "x"),) * 2'),
        "WEIGHTS [1], 'a': name is given twice",
        "twice.py:5",
    ),
    "few": ("DESCRIPTION = 'x'\nWEIGHTS = ()\n\ndef evaluate(game): ...", "takes (game)", "few.py:4"),
    "narrow": (
        judging("return 0.0") + "\n\ndef at_least(game): ...\n",
        "at_least must take (game, board, weights, snake, move), takes (game)",
        "narrow.py:11",
    ),
    "promising": (
        judging("return board.length[snake] / 100.0")
        + "\n\ndef at_least(game, board, weights, snake, move):\n    return 0.5\n",
        "at_least returns 0.5 for a move after which",
        "promising.py:8",
    ),
    "area": (judging("return 0.0"), "the name 'area' is taken by searcher.evaluators.area", "area.py:1"),
}
"""By name: a source, what is wrong with it, and where."""

FAR = judging("return 3 * board.length[snake]")

ENDLESS = judging("total = 0\nwhile total <= board.health[snake]:\n    total ^= 1\nreturn total")

TRY_BRIEFLY = """
from searcher.trials import trial
from searcher.__main__ import main

trial._SECONDS = 1
main(["try", "endless"])
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
"""Whether the evaluator lies in the cache, what it says of a position, and whether it lies there now."""


@pytest.fixture(autouse=True)
def cleared_cache() -> Iterator[None]:
    """What was compiled for a test's package is of no use to anybody else."""
    yield
    if CACHE_DIRECTORY is not None:
        for folder in CACHE_DIRECTORY.glob(f"{PACKAGE}_*"):
            shutil.rmtree(folder)
        for mark in CACHE_DIRECTORY.glob("tried/shy-*"):
            mark.unlink()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package of a good evaluator and of all that are broken."""
    folder = tmp_path_factory.mktemp("site")
    broken = {name: text for name, (text, *_) in BROKEN.items()} | {"endless": ENDLESS, "far": FAR}
    unpack(folder, GOOD | broken, {name: f"{PACKAGE}.{name}" for name in (*broken, "shy")})
    return folder


def path_with(folder: Path) -> str:
    """A PYTHONPATH with a folder of installed packages."""
    return os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", str(ROOT))])


def answer(url: str, body: bytes) -> Any:
    """What a snake answers to a request for a move."""
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=5) as response:
        return json.load(response)


def assert_told(lines: list[str], name: str, site: Path) -> None:
    """One of the lines says what is wrong with a broken evaluator, and where."""
    _, reason, place = BROKEN[name]
    (line,) = (line for line in lines if f"evaluator {name} is left out: " in line)
    assert reason in line
    assert f"({site}/{PACKAGE}/{place})" in line


def test_a_package_plays_and_a_broken_one_is_told(tmp_path: Path) -> None:
    """Through a routes file, with nothing of the project changed; the log says what is wrong with others."""
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
    assert_told(faults, "crashing", site)


def test_every_mistake_is_told_with_its_place(site: Path) -> None:
    """One line each, with the reason, the file and the line; what is right is fine, or seems odd."""
    names = sorted({*BROKEN, "shy", "far"} - {"crashing"})
    done = run("-m", "searcher", "try", *names, settings={"PYTHONPATH": path_with(site)})
    assert "Traceback" not in done.stderr, done.stderr
    told = done.stdout.splitlines()
    assert "evaluator shy is fine" in told
    assert any(line.startswith("evaluator far is fine, though it often returns ") for line in told)
    for name in BROKEN.keys() - {"crashing"}:
        assert_told(told, name, site)


def test_a_trial_ends(site: Path) -> None:
    """An evaluator that does not come back is ended with its process, also if nobody waits for it."""
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
def test_commands_refuse_a_broken_evaluator(site: Path, command: tuple[str, ...]) -> None:
    """Whoever searches without a searcher is told the same, in one line, before anything is played."""
    _, reason, place = BROKEN["misspelt"]
    done = run("-m", *command, settings={"PYTHONPATH": path_with(site)})
    error = f"evaluator misspelt can't play: KeyError: {reason} ({site}/{PACKAGE}/{place})"
    assert_refused(done, error)


def test_a_changed_helper_is_noticed(tmp_path: Path) -> None:
    """Compiled code is kept by all files of its package, not by the evaluator's own."""
    site, helper = tmp_path / "site", tmp_path / "site" / PACKAGE / "heads.py"
    unpack(site, GOOD, {"shy": f"{PACKAGE}.shy"})
    settings = {"PYTHONPATH": path_with(site)}
    first = run("-c", ASK, settings=settings).stdout.split()
    helper.write_text(helper.read_text().replace("return nearest", "return 0.5 * nearest"))
    changed = run("-c", ASK, settings=settings).stdout.split()
    assert first[::2] == changed[::2] == ["False", "True"]
    assert float(changed[1]) == 0.5 * float(first[1]) != 0
