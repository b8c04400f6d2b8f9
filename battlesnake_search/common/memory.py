"""The return of free memory to the system, after a peak of use."""

import asyncio
import ctypes
import gc
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

_INTERVAL = 5.0
"""Seconds between two looks at the memory."""

_GROWTH = 4 * 2**20
"""The bytes above the least use after which free memory is returned."""

_TRIES, _MOST_DOUBLINGS = 4, 6
"""The attempts without a success after which looks become rarer, and how often their interval is doubled."""

_STATM = Path("/proc/self/statm")

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's mallopt."""

_FREE_END = 512 * 1024
"""The bytes that the free end of a thread's heap may have."""

_LARGE = 256 * 1024
"""The bytes of a piece from which it has pages of its own. The records of most searches are smaller, because
new pages for each search would take time."""


@asynccontextmanager
async def returning_memory() -> AsyncIterator[None]:
    """Return free memory to the system after peaks, while the block runs. Without glibc this does nothing.

    glibc keeps freed memory for further use. After a flood of large requests that would be as much as the
    peak, in a container with a limit.
    """
    try:
        glibc = ctypes.CDLL(None)
        trim, set_parameter = glibc.malloc_trim, glibc.mallopt
    except (AttributeError, OSError):
        yield
        return
    # malloc_trim leaves out the free end of each thread's heap. free() returns it above a threshold. Unless
    # the thresholds are set, they rise to megabytes with the largest piece that was ever freed.
    set_parameter(_M_TRIM_THRESHOLD, _FREE_END)
    set_parameter(_M_MMAP_THRESHOLD, _LARGE)
    task = asyncio.create_task(_return_after_peaks(trim))
    try:
        yield
    finally:
        task.cancel()


async def _return_after_peaks(trim: Callable[[int], int]) -> None:
    least, vain = _resident(), 0
    while True:
        # Memory in use can't be returned. While nothing else grows, the looks become rare.
        await asyncio.sleep(_INTERVAL * 2 ** min(max(0, vain - _TRIES), _MOST_DOUBLINGS))
        before = _resident()
        if before <= least + _GROWTH:
            least, vain = min(least, before), 0
            continue
        # The garbage of a peak is old, so that the collector does not look at it soon.
        gc.collect()
        # A call through ctypes lets the event loop go on.
        await asyncio.to_thread(trim, 0)
        vain = vain + 1 if _resident() > before - _GROWTH // 4 else 0


def _resident() -> int:
    """Return the resident bytes of this process; 0 if the system does not tell."""
    with suppress(OSError):
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
