"""The counter of stolen ticks."""

from pathlib import Path

from tests.support.steal import stolen_ticks


def test_steal_is_the_eighth_counter_of_all_cores(tmp_path: Path) -> None:
    """Steal follows user, nice, system, idle, iowait, irq and softirq, as documented in proc(5)."""
    statistics = tmp_path / "stat"
    statistics.write_text("cpu  1 2 3 4 5 6 7 80 9 10\ncpu0 1 2 3 4 5 6 7 70 9 10\nctxt 1\n")
    assert stolen_ticks(statistics) == 80


def test_steal_is_zero_without_a_counter(tmp_path: Path) -> None:
    """Systems without /proc report no stolen ticks."""
    assert stolen_ticks(tmp_path / "stat") == 0
