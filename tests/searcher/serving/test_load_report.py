"""The load that answers report."""

import struct

from searcher.serving.load_report import LoadReport

CALLS, ERRORS, UTILIZATION = 6, 7, 9
"""The numbers of fields of an OrcaLoadReport."""


class _Searcher:
    """A clock, and what searches took until then."""

    def __init__(self) -> None:
        self.seconds = 100.0
        self.demand = 0.0
        self._report = LoadReport(lambda: self.demand, lambda: self.seconds)

    def report(
        self, after: float, searches: float, workers: int, starved: float = 0.0, refused: bool = False
    ) -> dict[int, float]:
        """Answer after some time with so many searches at once; return the fields of the report.

        The searches had no processor for a part of the time.
        """
        self.seconds += after
        self.demand += after * searches
        took = after * min(searches, workers)
        self._report.count(took, took * starved)
        fields = list(struct.iter_unpack("<Bd", self._report.answer(workers, refused)))
        assert all(key & 7 == 1 for key, _ in fields)
        return {key >> 3: value for key, value in fields}


def test_calls_and_searches_are_averaged() -> None:
    """Ten answers a second, of six searches at once on three workers."""
    searcher = _Searcher()
    for _ in range(40):
        fields = searcher.report(0.1, 6.0, 3)
    assert fields.keys() == {CALLS, UTILIZATION}
    assert abs(fields[CALLS] - 10) < 1 and abs(fields[UTILIZATION] - 2) < 1e-6


def test_a_searcher_without_its_processors_is_busier() -> None:
    """Half of the time without a processor counts as twice the searches; soon after it ends, it is over."""
    searcher = _Searcher()
    for _ in range(40):
        slow = searcher.report(0.1, 6.0, 3, starved=0.5)
    assert abs(slow[UTILIZATION] - 4) < 1e-6
    for _ in range(40):
        again = searcher.report(0.1, 6.0, 3)
    assert abs(again[UTILIZATION] - 2) < 1e-6


def test_refusals_are_calls_and_errors() -> None:
    """Of ten calls a second every second one is refused."""
    searcher = _Searcher()
    for number in range(40):
        fields = searcher.report(0.1, 6.0, 3, refused=number % 2 == 0)
    assert abs(fields[CALLS] - 10) < 1 and abs(fields[ERRORS] - 5) < 0.5
