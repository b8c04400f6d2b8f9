"""A database for recorded games, and a browser for the console."""

from pathlib import Path

import pytest

from console.store.database import OutcomesDatabase, read_database
from tests.battlesnake_search.viewer.conftest import page

__all__ = ["page"]


@pytest.fixture
def database(tmp_path: Path) -> OutcomesDatabase:
    """Return a new database; the tests of the store run on each kind."""
    return read_database(str(tmp_path / "deep" / "games.sqlite"))
