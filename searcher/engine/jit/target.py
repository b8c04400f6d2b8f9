"""The CPU that code is compiled for: a level of the architecture, so that it works on other machines, too."""

import platform
from collections.abc import Collection
from functools import cache
from pathlib import Path

LEVELS = {
    "x86_64": {
        "x86-64-v4": ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
        "x86-64-v3": ("avx2", "bmi2", "fma", "popcnt"),
        "x86-64-v2": ("popcnt", "sse4_2"),
    }
}
"""By architecture, its levels, best first, with the features that they require, as Linux names them."""

_LARGEST = "x86-64-v4"
"""Only builds compile for it; what a machine compiles when it first needs it is for the level below."""

_ANY = {"x86_64": "x86-64"}
"""By architecture, the target for all its machines."""

_CPU_INFO = Path("/proc/cpuinfo")


@cache
def _features() -> Collection[str]:
    """Return the features of this machine's CPU; empty where the system doesn't list them."""
    try:
        lines = _CPU_INFO.read_text().splitlines()
    except OSError:
        return ()
    return next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), ())


def lacking_features(target: str) -> tuple[str, ...]:
    """Return the CPU features that a level of the architecture requires and this machine lacks.

    The result is empty for other targets.
    """
    needed = LEVELS.get(platform.machine(), {}).get(target, ())
    return tuple(feature for feature in needed if feature not in _features())


def runnable_levels() -> list[str]:
    """Return the levels of the architecture that this machine can run, best first."""
    return [level for level in LEVELS.get(platform.machine(), {}) if not lacking_features(level)]


def choose_target() -> str:
    """Return the best target to compile for that this machine can run."""
    levels = [level for level in runnable_levels() if level != _LARGEST]
    return levels[0] if levels else _ANY.get(platform.machine(), "generic")
