"""How many cores a searcher may use."""

import os
from contextlib import suppress
from pathlib import Path


def available_cores(cgroup: Path = Path("/sys/fs/cgroup")) -> int:
    """Return the cores this process may use by its affinity and its container's quota; at least 1.

    `cgroup` is where the container's control group is mounted, of either version.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota(cgroup)
    return cores if quota is None else max(1, min(cores, round(quota)))


def _quota(cgroup: Path) -> float | None:
    """Return the cores that a control group may use at most; None if it has no quota."""
    version_1 = cgroup / "cpu"
    for files in ([cgroup / "cpu.max"], [version_1 / "cpu.cfs_quota_us", version_1 / "cpu.cfs_period_us"]):
        # Without a quota the files are missing, or have "max" or -1 in place of it.
        with suppress(OSError, ValueError):
            quota, period = map(int, " ".join(file.read_text() for file in files).split())
            if quota > 0:
                return quota / period
    return None
