"""The packages of a console, by the extras of this project that install them."""

from collections.abc import Mapping
from importlib.util import find_spec
from types import MappingProxyType

import click

from battlesnake_search.common.launch import pip_install

POSTGRES = ("postgresql://", "postgres://")
"""The beginnings of the URLs of PostgreSQL servers."""

_OUTCOMES = ("sqlalchemy", "aiosqlite", "alembic")

_REQUIRED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "outcomes": _OUTCOMES,
        "postgres": (*_OUTCOMES, "asyncpg"),
        "experiments": (*_OUTCOMES, "rich"),
        "films": ("PIL", "av"),
    }
)
"""The packages of each extra."""


class MissingExtraError(click.ClickException, ValueError):
    """Packages of an extra of this project are missing. The error ends a command with its text."""


def require(extra: str) -> None:
    """Raise MissingExtraError unless the packages of an extra are installed."""
    missing = [name for name in _REQUIRED[extra] if find_spec(name) is None]
    if missing:
        raise MissingExtraError(f"{', '.join(missing)} not installed: run {pip_install(extra)}")


def require_for(database: str) -> None:
    """Raise MissingExtraError unless the packages for a database are installed: a file or a server's URL."""
    require("postgres" if database.startswith(POSTGRES) else "outcomes")
