"""The cores of a process, and threads that could run and have none."""

import os
from pathlib import Path

import pytest

from battlesnake_search.common.cores import available_cores
from tests.support.services import ROOT


@pytest.mark.parametrize(("quota", "cores"), [("max 100000", None), ("5000 100000", 1)])
def test_a_containers_quota_counts(tmp_path: Path, quota: str, cores: int | None) -> None:
    """A quota of one core or less means one worker, however many cores there are; "max" is no quota."""
    unlimited = available_cores(tmp_path)
    (tmp_path / "cpu.max").write_text(f"{quota}\n")
    assert available_cores(tmp_path) == (cores or unlimited)


@pytest.mark.parametrize(("quota", "cores"), [(-1, None), (5000, 1)])
def test_the_quota_of_the_first_version_of_control_groups(
    tmp_path: Path, quota: int, cores: int | None
) -> None:
    """It is in two files of the controller's folder; -1 is no quota."""
    unlimited = available_cores(tmp_path)
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(f"{quota}\n")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert available_cores(tmp_path) == (cores or unlimited)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system knows no affinity")
def test_only_the_cores_of_this_process_count(tmp_path: Path) -> None:
    """A process that is pinned to a core has one worker, however many cores the machine has."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        assert available_cores(tmp_path / "none") == 1
    finally:
        os.sched_setaffinity(0, cores)


def test_all_programs_count_in_this_way() -> None:
    """Python's own number has the cores that this process may not use."""
    packages = ("arena", "battlesnake_search", "gateway", "searcher")
    sources = [file for package in packages for file in (ROOT / package).rglob("*.py")]
    assert [file.name for file in sources if "cpu_count" in file.read_text()] == ["cores.py"]
