"""The order of the test files, so that parallel test processes finish together."""

from collections import Counter
from collections.abc import Mapping

import pytest

TIMES = "battlesnake/seconds"
"""The key of pytest's cache with the seconds that each file took in its last run."""

FIRST_RUN = {
    "tests/arena/matches/test_ray_workers.py": 76.0,
    "tests/arena/report/test_viewer.py": 27.0,
    "tests/battlesnake_search/viewer/test_analysis_page.py": 25.0,
    "tests/battlesnake_search/viewer/test_experiments_page.py": 31.0,
    "tests/battlesnake_search/viewer/test_game_page.py": 28.0,
    "tests/battlesnake_search/viewer/test_home_page.py": 45.0,
    "tests/docs/test_blocks_run.py": 196.0,
    "tests/engine_games/test_outcomes.py": 16.0,
    "tests/engine_games/test_platform_games.py": 24.0,
    "tests/examples/test_bots.py": 178.0,
    "tests/gateway/commands/test_checks.py": 27.0,
    "tests/gateway/commands/test_serve.py": 21.0,
    "tests/console/web/test_home_page.py": 35.0,
    "tests/battlesnake_search/children/test_restarting.py": 20.0,
    "tests/infra/containers/test_images.py": 260.0,
    "tests/infra/containers/test_services.py": 26.0,
    "tests/infra/monitoring/test_alerts.py": 19.0,
    "tests/infra/packaging/test_commands.py": 22.0,
    "tests/infra/packaging/test_distributions.py": 24.0,
    "tests/infra/test_checks.py": 21.0,
    "tests/searcher/commands/test_new.py": 30.0,
    "tests/searcher/engine/algorithms/test_maxn.py": 20.0,
    "tests/searcher/engine/jit/test_code_cache.py": 16.0,
    "tests/searcher/engine/rules/test_shapes.py": 30.0,
    "tests/searcher/precompile/test_background.py": 15.0,
    "tests/searcher/tools/analysis/test_run.py": 16.0,
    "tests/searcher/tools/test_bench.py": 20.0,
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
        return file in alone, -seconds_of(file, tests[file], times)

    places = {file: number for number, file in enumerate(sorted(tests, key=place))}
    return sorted(items, key=lambda item: places[file_of(item.nodeid)])


def seconds_of(file: str, tests: int, times: Mapping[str, float]) -> float:
    """Return the seconds that a file took in its last run, or else an estimate by the number of its tests."""
    return times.get(file) or FIRST_RUN.get(file) or tests * USUAL


def file_of(nodeid: str) -> str:
    """Return the file of a test, by its id."""
    return nodeid.partition("::")[0]
