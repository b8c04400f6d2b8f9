"""Where outcomes go: a file of SQLite, a PostgreSQL database, or nowhere."""

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import click

NOWHERE = "none"

_POSTGRES = ("postgresql://", "postgres://")
_NEEDED = {"outcomes": ("sqlalchemy", "aiosqlite", "alembic"), "postgres": ("asyncpg",)}
"""By extra of this project, the packages that it installs."""


class MissingExtraError(ValueError):
    """A package is not installed that the target needs."""


@dataclass(frozen=True, slots=True)
class Target:
    """The SQLAlchemy URL of a database; empty if there is none, for a `reason`."""

    url: str
    reason: str = ""


def target_of(text: str | None) -> Target:
    """Read the option: a file's path, postgresql://user:password@host/database, or none.

    None: the default file, or nowhere if what it needs is not installed. Raises ValueError for another
    kind of URL, MissingExtraError for what is not installed.
    """
    if text == NOWHERE:
        return Target("", "none was asked for")
    if text:
        return Target(_url(text))
    try:
        return Target(_url(str(default_file())))
    except MissingExtraError as error:
        return Target("", str(error))


def default_file() -> Path:
    """The file in the user's data directory, as the XDG Base Directory Specification has it."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return Path(home) / "battlesnake-search" / "outcomes.sqlite"


def install_hint(extra: str) -> str:
    """How to get what an extra of this project holds."""
    return f"pip install 'battlesnake-search[{extra}]' installs what is needed"


def _url(text: str) -> str:
    if text.startswith(_POSTGRES):
        _require("outcomes", "postgres")
        return "postgresql+asyncpg://" + text.partition("://")[2]
    if "://" in text:
        raise ValueError(
            f"{text!r} is neither a file's path nor postgresql://user@host/database nor {NOWHERE}"
        )
    _require("outcomes")
    return f"sqlite+aiosqlite:///{Path(text).expanduser().absolute()}"


def _require(*extras: str) -> None:
    for extra in extras:
        missing = [name for name in _NEEDED[extra] if find_spec(name) is None]
        if missing:
            raise MissingExtraError(f"{', '.join(missing)} not installed: {install_hint(extra)}")


def _read(_context: click.Context, _option: click.Parameter, value: str | None) -> Target:
    try:
        return target_of(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


option = click.option(
    "--outcomes",
    callback=_read,
    default=None,
    metavar="FILE|URL|none",
    show_default="a file in the user's data directory",
    envvar="OUTCOMES_URL",
    show_envvar=True,
    help="Database of the games' outcomes: a file for SQLite, or postgresql://user:password@host/database.",
)
"""The command line's --outcomes, read as a Target."""
