"""What a process has in memory."""

import os

import pytest

from benchmarks.cold_start.memory import memory_of, read_memory

ROLLUP = """\
00400000-7ffd5a1f2000 ---p 00000000 00:00 0                              [rollup]
Rss:              102400 kB
Pss:               61440 kB
Pss_Dirty:         40960 kB
Shared_Clean:      40960 kB
Shared_Dirty:          0 kB
Private_Clean:     20480 kB
Private_Dirty:     40960 kB
Swap:                  0 kB
"""


def test_the_kernels_figures_are_megabytes() -> None:
    """Private memory is what was written and what was only read."""
    found = read_memory(ROLLUP)
    figures = (found.resident, found.private, found.proportional)
    assert figures == pytest.approx((104.8576, 62.91456, 62.91456))


def test_memory_that_is_shared_counts_in_part() -> None:
    """A process has no more of its own than its share, and no more of that than is resident."""
    own = memory_of(os.getpid())
    assert 1 < own.private <= own.proportional <= own.resident
