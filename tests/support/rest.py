"""The tests that `make test` leaves to `make test-all`, because they need other programs or minutes."""

import os
from pathlib import Path
from typing import Any

import pytest

PATHS = {
    "tests/infra/": "containers and infra",
    "tests/examples/": "bots in other languages",
    "tests/searcher/commands/test_new.py": "compilation",
    "tests/searcher/plugins/test_discovery.py": "compilation",
    "tests/searcher/engine/jit/test_code_cache.py": "compilation",
    "tests/searcher/precompile/test_background.py": "compilation",
    "tests/searcher/precompile/test_missing_from_cache.py": "compilation",
    "tests/searcher/precompile/test_prepare.py": "compilation",
    "tests/searcher/precompile/test_warmup.py": "compilation",
    "tests/searcher/trials/test_hints.py": "compilation",
    "tests/searcher/trials/test_trial.py": "compilation",
    "tests/gateway/routes/test_evaluator_watch.py": "compilation",
    "tests/arena/matches/test_ray_workers.py": "Ray",
    "tests/docs/test_blocks_run.py": "commands of the docs",
    "tests/docs/test_grpcurl.py": "commands of the docs",
    "tests/docs/test_site.py": "the site of the docs",
}
"""Files and folders whose tests are left out, and the kind of these tests."""

FIXTURES = {"page": "browsers", "postgres": "PostgreSQL"}
"""Fixtures whose tests are left out, and the kind of these tests."""

_DATABASE = "postgresql"
"""The parameter of a test that runs on each kind of database."""

_KINDS = "left_out"


def kind_of(item: pytest.Item) -> str | None:
    """Return the kind of a test that is left out, or None for a test of `make test`."""
    for start, kind in PATHS.items():
        if item.nodeid.startswith(start):
            return kind
    if marker := item.get_closest_marker("rest"):
        return str(marker.args[0])
    if item.get_closest_marker("alone"):
        return "play against the clock"
    # A parameter may have the name of a fixture.
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    for name in getattr(item, "fixturenames", ()):
        if name in FIXTURES and name not in parameters:
            return FIXTURES[name]
    return FIXTURES["postgres"] if _DATABASE in parameters.values() else None


class Rest:
    """Selects the tests: `without` the rest, `with` it, or the rest `only`."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._left_out: set[str] = set()
        if config.option.rest is None:
            # The test processes receive the choice of the main process.
            is_named = config.args_source is pytest.Config.ArgsSource.ARGS
            config.option.rest = "with" if is_named else "without"

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out whole files, whose imports take seconds."""
        if self._config.option.rest != "without":
            return None
        path = Path(os.path.relpath(collection_path, self._config.rootpath)).as_posix()
        kind = PATHS.get(path) or PATHS.get(f"{path}/")
        if kind is None:
            return None
        self._left_out.add(kind)
        return True

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect the tests that are not to run."""
        if self._config.option.rest == "with":
            return
        kinds = [kind_of(item) for item in items]
        is_only = self._config.option.rest == "only"
        other = [item for item, kind in zip(items, kinds, strict=True) if (kind is None) == is_only]
        items[:] = [item for item, kind in zip(items, kinds, strict=True) if (kind is not None) == is_only]
        self._config.hook.pytest_deselected(items=other)
        if not is_only:
            self._left_out.update(filter(None, kinds))

    def pytest_sessionfinish(self) -> None:
        """Send the kinds from a test process to the main process."""
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[_KINDS] = sorted(self._left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Receive the kinds in the main process."""
        self._left_out.update(getattr(node, "workeroutput", {}).get(_KINDS, ()))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was left out, and how to run it."""
        if self._left_out:
            kinds = ", ".join(sorted(self._left_out))
            terminalreporter.write_line(f"Left out, because `make test-rest` runs them: {kinds}")
