"""The count of stolen ticks."""

from pathlib import Path

from benchmarks.steal import stolen


def test_it_is_the_eighth_count_of_all_cores(tmp_path: Path) -> None:
    """After user, nice, system, idle, iowait, irq and softirq, as the kernel's manual of /proc has it."""
    statistics = tmp_path / "stat"
    statistics.write_text("cpu  1 2 3 4 5 6 7 80 9 10\ncpu0 1 2 3 4 5 6 7 70 9 10\nctxt 1\n")
    assert stolen(statistics) == 80


def test_nothing_is_stolen_where_nobody_counts(tmp_path: Path) -> None:
    """As on systems without /proc."""
    assert stolen(tmp_path / "stat") == 0
