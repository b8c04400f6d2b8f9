"""The real parts that more than one folder of tests needs."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support import official
from tests.support.machine import locked, machine_alone, machine_shared
from tests.support.parts import part_is_missing
from tests.support.postgres import Postgres, PostgresMissingError
from tests.support.services import ROOT, compile_default

LOCKS = ROOT / ".cache" / "test-locks"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Tests run side by side, apart from those marked `alone`; with all of their fixtures."""
    LOCKS.mkdir(parents=True, exist_ok=True)
    with machine_alone(LOCKS) if item.get_closest_marker("alone") else machine_shared(LOCKS):
        return (yield)


@pytest.fixture(scope="session")
def compiled() -> None:
    """The default strategy lies in the cache: what is tested is not how it gets there."""
    with locked(LOCKS / "compiling"):
        compile_default()


@pytest.fixture(scope="session")
def official_engine() -> Path:
    """The binary of the official Battlesnake engine."""
    with suppress(official.GoMissingError), locked(LOCKS / "building"):
        return official.official_engine()
    part_is_missing("Go (it builds the official engine)", "golang-go")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server of this test run."""
    with suppress(PostgresMissingError), Postgres() as server:
        yield server
        return
    part_is_missing("PostgreSQL", "postgresql")
