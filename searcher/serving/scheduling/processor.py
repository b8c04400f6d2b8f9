"""How long a thread could run and had no processor, as Linux counts it."""

from pathlib import Path

_STATISTICS = Path("/proc/thread-self/schedstat")
"""Of the calling thread: nanoseconds on a processor, nanoseconds of waiting for one, turns."""


def starved_seconds() -> float:
    """Return how long the calling thread has waited for a processor so far; 0 where that is not known."""
    try:
        return int(_STATISTICS.read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
