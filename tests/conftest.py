"""The real parts that more than one folder of tests needs."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support import official
from tests.support.parts import part_is_missing
from tests.support.postgres import Postgres, PostgresMissingError
from tests.support.services import compile_default


@pytest.fixture(scope="session")
def compiled() -> None:
    """The default strategy lies in the cache: what is tested is not how it gets there."""
    compile_default()


@pytest.fixture(scope="session")
def official_engine() -> Path:
    """The binary of the official Battlesnake engine."""
    with suppress(official.GoMissingError):
        return official.official_engine()
    part_is_missing("Go (it builds the official engine)", "golang-go")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server of this test run."""
    with suppress(PostgresMissingError), Postgres() as server:
        yield server
        return
    part_is_missing("PostgreSQL", "postgresql")
