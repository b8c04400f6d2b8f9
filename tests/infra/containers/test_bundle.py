"""`battlesnake-search bundle`: the folder plays in a container without Python, and ends wholly."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from searcher.engine.jit.code_cache import TARGET
from tests.infra.containers.conftest import FOLDER
from tests.support.games import GameSetup, run_game
from tests.support.http import wait_until
from tests.support.machine_lock import locked
from tests.support.official_engine import build_official_engine
from tests.support.podman import BARE, HARDENED, Container, Podman, make_base, require_podman
from tests.support.services import ONLY_DEFAULT, ROOT

PORT = 8001
IN_TIME = 60.0
"""Seconds for a start or an end on a busy machine."""

MOVE = (ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json").read_bytes()

SHORT = GameSetup("royale", "royale", timeout=2000, shrink_every=1, hazard_damage=100)
"""A game of a few turns, with time enough on a busy machine."""


def run_bundle(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Make a bundle of the default strategy, by the code that the test run has compiled."""
    command = [str(Path(sys.executable).with_name("battlesnake-search")), "bundle", str(folder)]
    environment = os.environ | ONLY_DEFAULT | {"SEARCHER_CPU": TARGET} | variables
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500, check=False)


@pytest.fixture(scope="module")
def bundle(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a bundle, which is read-only."""
    folder = tmp_path_factory.mktemp("bundles") / "entrant"
    made = run_bundle(folder)
    assert made.returncode == 0, made.stderr
    assert f"{folder} has a snake of" in made.stdout
    return folder


@pytest.fixture
def entrant(bundle: Path) -> Iterator[Container]:
    """Start the bundle in a container, with nothing in the environment but PORT; yield the container."""
    require_podman()
    podman = Podman(FOLDER, Path(__file__).with_name("containers.conf"))
    with locked(FOLDER / "lock"):
        make_base(podman, BARE)
    options = (*HARDENED, '--entrypoint=["sleep", "infinity"]', f"--volume={bundle}:/entrant:ro")
    with podman.running(BARE, *options) as container:
        command = ("env", "-i", f"PORT={PORT}", "/entrant/run.sh", "--log-level", "warning")
        podman.run("exec", "--detach", container.name, *command)
        wait_until(lambda: container.ask(PORT, "/readyz")[0] == 200, IN_TIME)
        yield container


def living(container: Container) -> list[str]:
    """Return the states of its processes. The first one waits for no other, so the dead stay zombies."""
    return [
        state for state in container.podman.run("top", container.name, "state").split()[1:] if state != "Z"
    ]


def test_it_plays_and_ends_wholly(entrant: Container) -> None:
    """It answers twenty games at once by searches, plays the official engine's games, and SIGKILL ends it."""
    with ThreadPoolExecutor(20) as callers:
        answers = [*callers.map(lambda _: entrant.ask(PORT, "/move", MOVE), range(20))]
    assert {status for status, _ in answers} == {200}
    url = f"http://{entrant.address}:{PORT}"
    assert run_game(build_official_engine(), (url, url), SHORT).warnings == ()
    assert len(living(entrant)) == len(("sleep", "gateway", "searcher"))
    entrant.podman.run("exec", entrant.name, "fuser", "--kill", f"{PORT}/tcp")
    wait_until(lambda: len(living(entrant)) == len(("sleep",)), IN_TIME)


def test_it_has_what_it_needs_and_no_more(bundle: Path) -> None:
    """Neither compilers nor databases come along, and the size is bounded."""
    files = [*bundle.rglob("*")]
    names = {file.name.partition(".")[0] for file in files}
    assert not names & {"llvmlite", "sqlalchemy", "_sqlite3", "ensurepip", "test", "tests"}
    assert sum(file.lstat().st_blocks * 512 for file in files) < 180e6
