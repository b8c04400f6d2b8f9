"""A match on a real Ray cluster of two workers, one of which is killed."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.matches.match import MatchEnd, play_match
from arena.matches.standing import Standing
from arena.records.files import MatchFile
from tests.arena.matches.test_match import InOrder, run
from tests.arena.setups import RecordingObserver, setup_of, timeless_lines

ray = pytest.importorskip("ray", reason="Ray has no release for this Python", exc_type=ImportError)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of two cores on this machine."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    yield cluster.address
    ray.shutdown()
    cluster.shutdown()


def workers_of_ray() -> list[int]:
    """The processes that play blocks at present."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "ray::play_block" in line]


def test_a_killed_worker_costs_no_pair(address: str, tmp_path: Path) -> None:
    """The match has all its pairs, and they are those of a match on this machine."""
    from arena.matches.ray_workers import RayWorkers

    setup = setup_of("paranoid/area", "paranoid/length", blocks=30)
    killed: list[int] = []

    class Killer(RecordingObserver):
        def block_ended(self, standing: Standing, ended: int) -> None:
            # Both workers may be between two blocks; then the next end of a block will do.
            if ended >= 4 and not killed and (playing := workers_of_ray()):
                os.kill(playing[0], signal.SIGKILL)
                killed.append(playing[0])

    with closing(MatchFile(tmp_path / "ray.jsonl", setup, False)) as file:
        standing, end = play_match(setup, None, RayWorkers(address, None), file, Killer())
    assert len(killed) == 1
    assert (standing.blocks, end) == (30, MatchEnd.PLAYED)
    run(setup, tmp_path / "here.jsonl", InOrder())
    assert timeless_lines(tmp_path / "ray.jsonl") == timeless_lines(tmp_path / "here.jsonl")
