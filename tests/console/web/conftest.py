"""Databases for recorded games, and a browser for the console."""

from tests.battlesnake_search.viewer.conftest import page
from tests.console.store.conftest import database

__all__ = ["database", "page"]
