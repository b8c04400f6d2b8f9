"""Databases for recorded games, and a browser for the console."""

from tests.gateway.store.conftest import database
from tests.viewer.conftest import page

__all__ = ["database", "page"]
