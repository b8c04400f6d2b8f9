"""Evaluators of installed packages: a good one plays, and a faulty one is reported and left out.

The digest of an evaluator's code covers all of its package.
"""

import json
import shutil
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from searcher.engine.jit.code_cache import CACHE, stamp_of
from searcher.plugins.discovery import code_digest
from searcher.strategies import evaluators
from tests.searcher.command_line import ROOT
from tests.searcher.plugins.packages import GOOD, PACKAGE, path_with, unpack
from tests.searcher.trials.faulty import FAULTY, assert_reported
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


@pytest.fixture(autouse=True)
def cleared_cache() -> Iterator[None]:
    """Delete the code that was compiled for a test's package: nothing else uses it."""
    yield
    for file in (*CACHE.glob(f"{PACKAGE}*"), *CACHE.glob("tried/shy-*")):
        file.unlink()


def move(url: str, body: bytes) -> Any:
    """Return a snake's response to a /move request."""
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=5) as response:
        return json.load(response)


def test_a_package_plays_and_a_faulty_one_is_reported(tmp_path: Path) -> None:
    """A routes file is enough to play an installed evaluator; the log has the faults of the others."""
    site, log, routes = tmp_path / "site", tmp_path / "log", tmp_path / "routes.toml"
    modules = GOOD | {"crashing": FAULTY["crashing"][0]}
    unpack(site, modules, {name: f"{PACKAGE}.{name}" for name in ("shy", "absent", "crashing")})
    routes.write_text(ROUTES)
    settings = {"PYTHONPATH": path_with(site), "SEARCHER_ONLY": "paranoid/shy paranoid/crashing"}
    with running_gateway(log, "--routes", routes, **settings) as url:
        deadline = time.monotonic() + PATIENCE
        while moves_by_source(url)["search"] == 0 and time.monotonic() < deadline:
            assert move(f"{url}/shy/move", BODY.read_bytes())["move"] in ("up", "down", "left", "right")
            time.sleep(0.2)
        assert moves_by_source(url)["search"] > 0, log.read_text()[-3000:]
    faults = [line for line in log.read_text().splitlines() if "is left out" in line]
    assert len(faults) == 2
    assert f"No module named '{PACKAGE}.absent'" in faults[0]
    assert_reported(faults, "crashing", site)


def _package(folder: Path) -> Path:
    """Write a package of an evaluator and a helper; return the evaluator's file."""
    folder.mkdir()
    for name in ("__init__", "helper", "shy"):
        (folder / f"{name}.py").write_text(f'"""The module {name}."""\n')
    return folder / "shy.py"


def test_a_changed_helper_changes_the_digest(tmp_path: Path) -> None:
    """The digest of a package's evaluator covers every module of the package."""
    file = _package(tmp_path / "snake")
    before = code_digest(str(file))
    assert code_digest(str(file)) == before
    (tmp_path / "snake" / "helper.py").write_text("HUNGER = 2\n")
    stamp_of.cache_clear()
    assert code_digest(str(file)) != before


def test_the_digest_does_not_depend_on_the_place(tmp_path: Path) -> None:
    """The same package in another folder has the same digest."""
    file = _package(tmp_path / "snake")
    moved = shutil.copytree(tmp_path / "snake", tmp_path / "elsewhere" / "snake")
    assert code_digest(str(file)) == code_digest(str(moved / "shy.py"))


def test_each_evaluator_has_a_digest_of_its_own() -> None:
    """The evaluators of this project have different digests."""
    digests = {evaluator.code_digest for evaluator in evaluators().values()}
    assert len(digests) == len(evaluators()) and "" not in digests
