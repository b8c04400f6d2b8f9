"""The order of the test files, so that parallel test processes finish together."""

from collections import Counter
from collections.abc import Mapping

import pytest

TIMES = "battlesnake/seconds"
"""The key of pytest's cache with the seconds that each file took in its last run."""

FIRST_RUN = {
    "tests/arena/matches/test_ray_workers.py": 76.0,
    "tests/docs/test_blocks_run.py": 196.0,
    "tests/examples/test_bots.py": 178.0,
    "tests/infra/containers/test_images.py": 260.0,
    "tests/searcher/trials/test_trial.py": 170.0,
}
"""Seconds of the heaviest files if no run has been timed and nothing is compiled."""

USUAL = 0.2
"""Seconds of a test in a file without a time."""


def former_times(config: pytest.Config) -> dict[str, float]:
    """Return the seconds of the files in former runs; none without pytest's plugin for its cache."""
    cache = getattr(config, "cache", None)
    return cache.get(TIMES, {}) if cache else {}


def in_order(items: list[pytest.Item], times: Mapping[str, float]) -> list[pytest.Item]:
    """Return the tests with the tests of each file together.

    The files that take longest come first. Files with tests marked `alone` come last: the other processes
    wait for such a test, and fixtures that it needs are ready by then.
    """
    tests = Counter(file_of(item.nodeid) for item in items)
    alone = {file_of(item.nodeid) for item in items if item.get_closest_marker("alone")}

    def place(file: str) -> tuple[bool, float]:
        seconds = times.get(file) or FIRST_RUN.get(file) or tests[file] * USUAL
        return file in alone, -seconds

    places = {file: number for number, file in enumerate(sorted(tests, key=place))}
    return sorted(items, key=lambda item: places[file_of(item.nodeid)])


def file_of(nodeid: str) -> str:
    """Return the file of a test, by its id."""
    return nodeid.partition("::")[0]
