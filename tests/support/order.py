"""The order of the test files, so that parallel test processes finish together."""

from collections import Counter

import pytest

HEAVIEST = (
    # Compiles the default strategy, which many files need, while the next file compiles plug-ins elsewhere.
    "tests/gateway/commands/test_checks.py",
    "tests/searcher/trials/test_trial.py",
    # Builds the images, and waits for downloads.
    "tests/infra/containers/test_images.py",
    # Waits for nodes of Ray to start and to be missed.
    "tests/arena/matches/test_ray_workers.py",
    # Builds bots in five languages, and waits for downloads.
    "tests/examples/test_bots.py",
    "tests/searcher/engine/algorithms/test_every_search.py",
    "tests/searcher/plugins/test_discovery.py",
    "tests/searcher/engine/rules/test_shapes.py",
    "tests/arena/games/test_entrants.py",
    "tests/searcher/engine/algorithms/test_simultaneous.py",
    "tests/searcher/tools/test_bench.py",
    "tests/arena/commands/test_gauntlet.py",
)
"""The files that take longest if nothing is compiled, in the order in which they start."""


def in_order(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests with those of a file together.

    The heaviest files come first, then the others, those with most tests first. Files with tests marked
    `alone` come last: the other processes wait for such a test, and fixtures that it needs are ready by then.
    """
    files = [_file(item) for item in items]
    tests = Counter(files)
    alone = {_file(item) for item in items if item.get_closest_marker("alone")}
    start = {file: place for place, file in enumerate(HEAVIEST)}

    def place(file: str) -> tuple[bool, int, int]:
        return file in alone, start.get(file, len(start)), -tests[file]

    places = {file: number for number, file in enumerate(sorted(tests, key=place))}
    return sorted(items, key=lambda item: places[_file(item)])


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]
