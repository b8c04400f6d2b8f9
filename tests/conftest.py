"""Fixtures for the real programs that several test packages need, and the lock between tests."""

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import hypothesis
import pytest

from searcher.engine.rules import records
from tests.support.compiled import FEW_SHAPES, are_cached, compile_needed, needed
from tests.support.dependencies import report_missing
from tests.support.go_build import GoMissingError
from tests.support.logs import same_logs
from tests.support.machine_lock import LOCKS, exclusive_machine, locked, shared_machine
from tests.support.official_engine import build_official_engine
from tests.support.order import former_times, in_order
from tests.support.postgres import Postgres, PostgresMissingError
from tests.support.progress import Progress
from tests.support.rest import Rest

# Before NumPy's import, here and in all processes that tests start: its threads for linear algebra, one for
# each core, cost as much time as the import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Reviews of lost games would take the cores' idle time, and no core is idle. Tests of reviews ask for them.
os.environ.setdefault("REVIEWS", "none")

# On a busy machine an example may take any time. Each run draws other examples.
hypothesis.settings.register_profile("brief", deadline=None, max_examples=50)
hypothesis.settings.load_profile("brief")

ALL_SHAPES = records.SHAPES

WITHIN_A_TEST = "PYTEST_CURRENT_TEST" in os.environ
"""Whether a test started this run of pytest. That test holds the machine's lock until this run ends."""


def pytest_xdist_auto_num_workers() -> int:
    """Use two test processes more than there are cores, since tests often wait; four at most."""
    return min((os.cpu_count() or 1) + 2, 4)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that chooses between the tests of `make test` and the rest."""
    choices = ("without", "with", "only")
    parser.addoption("--rest", choices=choices, help="Default: with the rest for named paths, else without.")


def pytest_configure(config: pytest.Config) -> None:
    """Select the tests, and show the progress by files."""
    # The background jobs of a shell ignore Ctrl-C, and so would the commands that tests start and interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.pluginmanager.register(Rest(config))
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(config))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect no garbage while tests are collected, and rarely later. Never check the tests again."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()
    return result


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests in the order in which files are given to the test processes."""
    items[:] = in_order(items, former_times(config))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Run tests and their fixtures side by side, except for tests marked `alone`."""
    LOCKS.mkdir(parents=True, exist_ok=True)
    if WITHIN_A_TEST:
        # To wait here would be a deadlock once another process waits for the machine.
        return (yield)
    with exclusive_machine(LOCKS) if item.get_closest_marker("alone") else shared_machine(LOCKS):
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def few_shapes() -> Iterator[None]:
    """Search in two of the six board shapes, because code for the others differs in numbers alone.

    A test of the shapes themselves has the fixture `all_shapes`.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "SHAPES", FEW_SHAPES)
        yield


@pytest.fixture(autouse=True)
def same_settings() -> Iterator[None]:
    """Restore the settings of the log and of child processes, which commands change in this process."""
    before = dict(os.environ)
    with same_logs():
        yield
    # Only what differs: threads of gRPC may read the environment, and crash while it is written.
    for name in os.environ.keys() - before.keys():
        del os.environ[name]
    for name, value in before.items():
        if os.environ.get(name) != value:
            os.environ[name] = value


@pytest.fixture(scope="module")
def all_shapes() -> Iterator[None]:
    """Search in the smallest of the six shapes that holds a position, as users do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "SHAPES", ALL_SHAPES)
        yield


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compile the default strategy into the cache before the test, if `make test` has not done it."""
    with locked(LOCKS / "compiling"):
        if not are_cached(needed()):
            compile_needed()


@pytest.fixture(scope="session")
def official_engine() -> Path:
    """Return the binary of the official Battlesnake engine."""
    with suppress(GoMissingError), locked(LOCKS / "building"):
        return build_official_engine()
    report_missing("Go (it builds the official engine)", "golang-go")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Yield a PostgreSQL server for this test run."""
    with suppress(PostgresMissingError), Postgres() as server:
        yield server
        return
    report_missing("PostgreSQL", "postgresql")
