"""The order of the test files."""

from typing import Any, cast

import pytest

from tests.support.order import FIRST_RUN, USUAL, in_order
from tests.support.services import ROOT


class Collected:
    """A collected test, as far as its order is concerned."""

    def __init__(self, nodeid: str, alone: bool = False) -> None:
        self.nodeid = nodeid
        self._alone = alone

    def get_closest_marker(self, name: str) -> str | None:
        """Return the marker `alone` of a test that has it."""
        return name if self._alone else None


def ordered(tests: list[Collected], times: dict[str, float]) -> list[str]:
    """Return the ids of the tests in their order."""
    return [each.nodeid for each in in_order(cast(Any, tests), times)]


@pytest.mark.parametrize("file", FIRST_RUN)
def test_the_heaviest_files_exist(file: str) -> None:
    """A file that was moved or deleted has no time."""
    assert (ROOT / file).is_file()


def test_the_slowest_files_come_first_and_files_with_a_lonely_test_last() -> None:
    """The times of the last run decide, and the number of tests where there is none."""
    many = [f"many.py::{number}" for number in range(5)]
    given = ["slow.py::1", "heavy.py::1", "clock.py::1", "heavy.py::2", *many]
    tests = [Collected(nodeid, alone=nodeid == "clock.py::1") for nodeid in given]
    times = {"slow.py": 3.0, "heavy.py": 9.0, "clock.py": 99.0}
    assert ordered(tests, times) == ["heavy.py::1", "heavy.py::2", "slow.py::1", *many, "clock.py::1"]
    assert ordered(tests, {"slow.py": 2 * USUAL + 0.1})[5:] == [
        "slow.py::1",
        "heavy.py::1",
        "heavy.py::2",
        "clock.py::1",
    ]
