"""The load that answers report."""

import struct

from searcher.serving.metrics.load_report import LoadReport


class _Searcher:
    """A clock, and the searches at once."""

    def __init__(self) -> None:
        self.seconds, self.demand = 100.0, 0.0
        self.report = LoadReport(lambda: self.demand, lambda: self.seconds)

    def answer(self, after: float, searches: float, workers: int) -> tuple[float, float]:
        """Answer after some time with so many searches at once; return calls a second and utilization."""
        self.seconds += after
        self.demand += after * searches
        report = self.report.answer(workers)
        assert len(report) == 18 and (report[0], report[9]) == (6 << 3 | 1, 9 << 3 | 1)
        return struct.unpack("<d", report[1:9])[0], struct.unpack("<d", report[10:])[0]


def test_calls_and_searches_are_averaged() -> None:
    """Ten answers a second, of six searches at once on three workers."""
    searcher = _Searcher()
    for _ in range(40):
        calls, utilization = searcher.answer(0.1, 6.0, 3)
    assert abs(calls - 10) < 1 and abs(utilization - 2) < 1e-6


def test_the_past_is_forgotten() -> None:
    """After some seconds only the present counts."""
    searcher = _Searcher()
    for _ in range(40):
        searcher.answer(0.1, 6.0, 1)
    for _ in range(30):
        calls, utilization = searcher.answer(0.2, 1.0, 1)
    assert abs(calls - 5) < 1 and abs(utilization - 1) < 1e-6


def test_an_idle_searcher_reports_some_utilization() -> None:
    """A report of none would count as no report."""
    searcher = _Searcher()
    for _ in range(5):
        calls, utilization = searcher.answer(0.0, 0.0, 2)
    assert calls > 0 and utilization > 0
