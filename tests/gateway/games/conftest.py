"""Databases for recorded games: those for outcomes."""

from tests.gateway.outcomes.conftest import database, url

__all__ = ["database", "url"]
