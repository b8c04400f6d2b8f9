"""The tests that `make test` leaves to `make test-all`, because they need other programs or minutes."""

import os
import re
from pathlib import Path

import pytest

PATHS = (
    "tests/infra/",
    "tests/examples/",
    "tests/searcher/commands/test_new.py",
    "tests/searcher/plugins/test_discovery.py",
    "tests/searcher/engine/jit/test_code_cache.py",
    "tests/searcher/precompile/test_background.py",
    "tests/searcher/precompile/test_missing_from_cache.py",
    "tests/searcher/precompile/test_prepare.py",
    "tests/searcher/precompile/test_warmup.py",
    "tests/searcher/trials/test_hints.py",
    "tests/searcher/trials/test_trial.py",
    "tests/gateway/routes/test_evaluator_watch.py",
    "tests/arena/matches/test_ray_workers.py",
    "tests/docs/test_blocks_run.py",
    "tests/docs/test_grpcurl.py",
    "tests/docs/test_site.py",
)
"""The files and folders whose tests are left out."""

FIXTURES = ("page", "postgres")
"""The fixtures whose tests are left out: browsers and PostgreSQL."""

_DATABASE = ("database", "postgresql")
"""The parameter of a test that runs on each kind of database, and its value."""

_SIGNS = re.compile(r"mark\.(rest|alone)\b|\beach_size\b|\b(page|postgres): |\bdatabase: Outcomes|\burl: str")
"""The text by which other files with such tests are known before they are imported."""


def is_left_out(item: pytest.Item) -> bool:
    """Return whether `make test` leaves a test out."""
    if item.nodeid.startswith(PATHS):
        return True
    if item.get_closest_marker("rest") or item.get_closest_marker("alone"):
        return True
    # A parameter may have the name of a fixture.
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    names = set(getattr(item, "fixturenames", ())) - parameters.keys()
    return not names.isdisjoint(FIXTURES) or _DATABASE in parameters.items()


class Rest:
    """Selects the tests: `without` the rest, `with` it, or the rest `only`."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        if config.option.rest is None:
            # The test processes receive the choice of the main process.
            is_named = config.args_source is pytest.Config.ArgsSource.ARGS
            config.option.rest = "with" if is_named else "without"

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out whole files, whose imports take seconds."""
        path = Path(os.path.relpath(collection_path, self._config.rootpath)).as_posix()
        match self._config.option.rest:
            case "without" if path in PATHS or f"{path}/" in PATHS:
                return True
            case "only" if collection_path.suffix == ".py" and not path.startswith(PATHS):
                return None if _SIGNS.search(collection_path.read_text()) else True
        return None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect the tests that are not to run."""
        if self._config.option.rest == "with":
            return
        is_only = self._config.option.rest == "only"
        kept = [item for item in items if is_left_out(item) == is_only]
        other = [item for item in items if is_left_out(item) != is_only]
        for item in kept if is_only else other:
            assert item.nodeid.startswith(PATHS) or _SIGNS.search(item.path.read_text()), item.nodeid
        items[:] = kept
        self._config.hook.pytest_deselected(items=other)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was left out, and how to run it."""
        if self._config.option.rest == "without":
            terminalreporter.write_line("Some tests were left out, because `make test-rest` runs them")
