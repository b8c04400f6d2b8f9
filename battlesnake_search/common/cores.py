"""The cores that this process may use, and the time that a thread has waited for a core."""

import os
from contextlib import suppress
from pathlib import Path


def available_cores(cgroup: Path = Path("/sys/fs/cgroup")) -> int:
    """Return the number of cores that this process may use by its affinity and its container's quota.

    The number is at least 1. `cgroup` is the folder of the container's control group, of either version.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota(cgroup)
    return cores if quota is None else max(1, min(cores, round(quota)))


def _quota(cgroup: Path) -> float | None:
    """Return the most cores that a control group may use, or None without a quota."""
    version_1 = cgroup / "cpu"
    for files in ([cgroup / "cpu.max"], [version_1 / "cpu.cfs_quota_us", version_1 / "cpu.cfs_period_us"]):
        # Without a quota the files are missing, or have "max" or -1 in its place.
        with suppress(OSError, ValueError):
            quota, period = map(int, " ".join(file.read_text() for file in files).split())
            if quota > 0:
                return quota / period
    return None


_STATISTICS = Path("/proc/thread-self/schedstat")
"""The calling thread's nanoseconds on a processor, nanoseconds of waiting for one, and turns."""


def starved_seconds() -> float:
    """Return the seconds that the calling thread has waited for a processor so far, 0 if unknown."""
    try:
        return int(_STATISTICS.read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
