"""Evaluators of installed packages: a good one plays, and a faulty one is reported and left out."""

import json
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from searcher.engine.jit.code_cache import CACHE
from tests.searcher.command_line import ROOT, run
from tests.searcher.plugins.packages import GOOD, PACKAGE, install, path_with, unpack
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

CHECK = """
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
    install(site, modules, {name: f"{PACKAGE}.{name}" for name in ("shy", "absent", "crashing")})
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


def test_a_changed_helper_is_noticed(tmp_path: Path) -> None:
    """The cache notices a change in any file of the evaluator's package."""
    site, helper = tmp_path / "site", tmp_path / "site" / PACKAGE / "heads.py"
    unpack(site, GOOD, {"shy": f"{PACKAGE}.shy"})
    settings = {"PYTHONPATH": path_with(site)}
    first = run("-c", CHECK, settings=settings).stdout.split()
    helper.write_text(helper.read_text().replace("return nearest", "return 0.5 * nearest"))
    changed = run("-c", CHECK, settings=settings).stdout.split()
    assert first[::2] == changed[::2] == ["False", "True"]
    assert float(changed[1]) == 0.5 * float(first[1]) != 0
