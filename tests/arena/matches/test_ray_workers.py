"""Workers on a Ray cluster, and the versions of their code."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from arena.matches.ray_workers import check_version, version_of
from arena.records import Setup, read_match
from searcher.engine.jit.code_cache import cache_root
from searcher.strategies import evaluators
from tests.arena.matches.test_match import InOrder, run
from tests.arena.setups import setup_of, timeless_lines
from tests.support.http import wait_until
from tests.support.processes import family
from tests.support.services import free_port


@pytest.fixture(scope="module")
def setup() -> Setup:
    """Entrants of which two name an evaluator."""
    return setup_of("paranoid/area", "auto", "greedy", "brs/length,name=weak")


def test_the_project_and_the_evaluators_that_play_have_versions(setup: Setup) -> None:
    """Evaluators that the entrants do not name are the project's own."""
    parts = version_of(setup).split(", ")
    assert [part.rsplit(" ", 1)[0] for part in parts[1:]] == ["the evaluator area", "the evaluator length"]
    check_version(setup, version_of(setup), "here")


def test_another_evaluator_is_refused(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as that of a package that has been installed here in another version."""
    began = version_of(setup)
    monkeypatch.setitem(evaluators(), "area", replace(evaluators()["area"], code_digest="0123"))
    with pytest.raises(ValueError, match=r"192\.0\.2\.7 has .*the evaluator area 0123, ") as refused:
        check_version(setup, began, "192.0.2.7")
    assert f", but this match began with {began}: " in str(refused.value)


def test_a_missing_evaluator_is_refused(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as that of a package that is not installed here."""
    began = version_of(setup)
    monkeypatch.delitem(evaluators(), "area")
    with pytest.raises(ValueError, match=r"here has .*the evaluator area none, .*but"):
        check_version(setup, began, "here")


pytestmark = pytest.mark.skipif(not find_spec("ray"), reason="Ray has no release for this Python")

ROOT = Path(__file__).parents[3]
PLAYS = "ray::_play_same_block"
"""The name of a process of Ray while it plays."""

GENEROUS = 240.0
"""Seconds for anything to happen, on any machine."""

NODE = ("--num-cpus=1", "--disable-usage-stats", "--object-store-memory=80000000")
PORTS = ("--node-manager-port=0", "--object-manager-port=0", "--dashboard-agent-listen-port=0")
SETTINGS = {
    # A node that is gone is noticed sooner.
    "RAY_health_check_initial_delay_ms": "1000",
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_failure_threshold": "4",
}

PLAYERS = ("paranoid/area", "paranoid/length", "--size=7", "--nodes=60", "--max-turns=200")

AS_USERS = ("-m", "arena")
IMPATIENT = (
    "-c",
    "from arena.matches import ray_workers; from arena.commands.main import main; "
    "ray_workers._SILENCE = 3; main(prog_name='arena')",
)
"""The same command, which waits less long for a head."""

LOST = "the head of the Ray cluster does not answer"


class Cluster:
    """A Ray cluster on this machine. Each node has a temporary folder, by which its processes are found."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.address = ""

    def start(self, name: str) -> None:
        """Start a node of one core; the first one is the head. On a busy machine Ray may give up once."""
        place = f"--temp-dir={self._folder / name}"
        role = ("--head", f"--port={self._port}", "--include-dashboard=false") if not self.address else ()
        joined = (f"--address={self.address}",) if self.address else ()
        command = [Path(sys.executable).with_name("ray"), "start", *role, *joined, place, *NODE, *PORTS]
        for _ in range(3):
            done = subprocess.run(
                command, env=os.environ | SETTINGS, capture_output=True, text=True, timeout=GENEROUS
            )
            if done.returncode == 0:
                break
            self.kill(name)
        assert done.returncode == 0, done.stdout + done.stderr
        self.address = self.address or f"{_node_ip(done.stdout + done.stderr)}:{self._port}"

    def kill(self, name: str) -> None:
        """Kill all processes of a node at once, as a machine that loses power does."""
        for pid in self.processes(name):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def plays(self, name: str) -> bool:
        """Return whether a process of a node plays a block."""
        return any(_arguments(pid).startswith(PLAYS) for pid in self.processes(name))

    def processes(self, name: str) -> set[int]:
        """Return the processes of a node: those whose commands name its folder, and their children."""
        pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
        named = [pid for pid in pids if f"{self._folder / name}/" in _arguments(pid)]
        return {each for pid in named for each in family(pid)}


def _arguments(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return ""


def _node_ip(output: str) -> str:
    return output.split("Local node IP: ")[1].split()[0]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A cluster of two nodes, whose head has one of the cores."""
    # Sockets lie in the folders of nodes, so the path must be short.
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        started = Cluster(Path(folder))
        try:
            started.start("head")
            started.start("one")
            yield started
        finally:
            for name in ("one", "two", "head"):
                started.kill(name)


@contextmanager
def playing(
    cluster: Cluster, log: Path, *arguments: str | Path, program: Sequence[str] = AS_USERS, **settings: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command of a match on the cluster, with its output in a log."""
    command = [sys.executable, *program, "match", *arguments, "--ray", cluster.address]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command, cwd=log.parent, env=os.environ | settings, stdout=output, stderr=output
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def blocks_in(file: Path) -> int:
    """The number of blocks in the file of a match."""
    return max(0, file.read_bytes().count(b"\n") - 1) if file.exists() else 0


def test_no_cluster_is_reported_at_once() -> None:
    """As an entrant that can't be reached is: Ray itself would try for minutes."""
    from arena.matches.ray_workers import RayWorkers

    with pytest.raises(
        ConnectionError, match=r"no Ray cluster can be reached at 127\.0\.0\.1:9: Connection refused"
    ):
        RayWorkers("127.0.0.1:9", None)


def test_a_killed_node_costs_no_pair(cluster: Cluster, tmp_path: Path) -> None:
    """The match has all its pairs, and they are those of a match on this machine."""
    file, log, here = tmp_path / "ray.jsonl", tmp_path / "log", tmp_path / "here.jsonl"
    arguments = (*PLAYERS, "--games=40", "--output", file)
    with playing(cluster, log, *arguments) as process:
        wait_until(lambda: blocks_in(file) >= 4 and cluster.plays("one"), GENEROUS)
        cluster.kill("one")
        killed_after = blocks_in(file)
        assert process.wait(GENEROUS) == 0, log.read_text()
    assert killed_after < 20 == len(read_match(file).blocks)
    assert "40 in 20 blocks" in log.read_text()
    run(read_match(file).setup, here, InOrder())
    assert timeless_lines(file) == timeless_lines(here)


def test_another_version_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    """The message names both; whether a machine or the command has the other one makes no difference."""
    copy, log, file = tmp_path / "copy", tmp_path / "log", tmp_path / "match.jsonl"
    for package in ("arena", "battlesnake_search", "searcher"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (copy / "arena" / "games" / "game.py").open("a") as source:
        source.write("# Changed.\n")
    settings = {"PYTHONPATH": str(copy), "SEARCHER_CACHE_DIR": str(cache_root())}
    with playing(cluster, log, *PLAYERS, "--games=2", "--output", file, **settings) as process:
        assert process.wait(GENEROUS) == 1
    said = log.read_text()
    host = cluster.address.partition(":")[0]
    found = re.search(
        rf"^Error: {host} has battlesnake-search (.*), but .* battlesnake-search (.*): i", said, re.M
    )
    assert found and found[1] != found[2], said
    assert f"battlesnake-search {found[1]}" == version_of(read_match(file).setup)
    assert "Traceback" not in said


def test_a_lost_head_ends_the_match(cluster: Cluster, tmp_path: Path) -> None:
    """A node that joins gets work. Without its head a cluster is none: the command says how to continue."""
    file, log = tmp_path / "match.jsonl", tmp_path / "log"
    arguments = (*PLAYERS, "--games=99999", "--output", file)
    with playing(cluster, log, *arguments, program=IMPATIENT) as process:
        wait_until(lambda: blocks_in(file) >= 1, GENEROUS)
        cluster.start("two")
        wait_until(lambda: cluster.plays("two"), GENEROUS)
        played = blocks_in(file)
        cluster.kill("head")
        assert process.wait(GENEROUS) == 1
    ended = f"the match was interrupted: {LOST}; --resume continues it from {file}\n"
    assert ended in log.read_text()
    assert "Traceback" not in log.read_text()
    assert len(read_match(file).blocks) >= played
