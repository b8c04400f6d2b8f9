"""The real parts that more than one folder of tests needs."""

from contextlib import suppress
from pathlib import Path

import pytest

from tests.support import official
from tests.support.parts import part_is_missing


@pytest.fixture(scope="session")
def official_engine() -> Path:
    """The binary of the official Battlesnake engine."""
    with suppress(official.GoMissingError):
        return official.official_engine()
    part_is_missing("Go (it builds the official engine)", "golang-go")
