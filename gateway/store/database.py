"""The database for outcomes, from the option --outcomes: an SQLite file, a PostgreSQL database, or none."""

import os
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import click

from commandline.options import inherited

NONE = "none"
"""The value of the option that records nothing."""

_FILE = "sqlite+aiosqlite:///"
"""What the SQLAlchemy URL of a file begins with."""

_POSTGRES = ("postgresql://", "postgres://")
_REQUIRED = {
    "outcomes": ("sqlalchemy", "aiosqlite", "alembic"),
    "postgres": ("asyncpg",),
    "experiments": ("openskill", "rich"),
}
"""The packages that each extra of this project installs."""


class MissingExtraError(ValueError):
    """Packages are missing that an extra of this project installs."""


@dataclass(frozen=True, slots=True)
class OutcomesDatabase:
    """The SQLAlchemy URL of a database, and the `text` of the option that it was read from.

    Without a database the URL is empty, and `reason` says why.
    """

    text: str
    url: str
    reason: str = ""


NO_DATABASE = OutcomesDatabase(NONE, "", "--outcomes is none")


def read_database(text: str | None) -> OutcomesDatabase:
    """Read the option: a file's path, postgresql://user:password@host/database, or none.

    Without text, use the default file, or no database if the packages for it are missing. Raises ValueError
    for another kind of URL, and MissingExtraError for missing packages.
    """
    if text == NONE:
        return NO_DATABASE
    if text:
        return OutcomesDatabase(text, _url(text))
    file = str(default_file())
    try:
        return OutcomesDatabase(file, _url(file))
    except MissingExtraError as error:
        return OutcomesDatabase(NONE, "", str(error))


def default_file() -> Path:
    """Return the default file, in the user's data directory by the XDG Base Directory Specification."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return Path(home) / "battlesnake-search" / "outcomes.sqlite"


def file_of(url: str) -> Path | None:
    """Return the file of the database at a SQLAlchemy URL; None for a server."""
    return Path(url.removeprefix(_FILE)) if url.startswith(_FILE) else None


def require(*extras: str) -> None:
    """Raise MissingExtraError unless the packages of these extras are installed."""
    for extra in extras:
        missing = [name for name in _REQUIRED[extra] if find_spec(name) is None]
        if missing:
            install = f"pip install 'battlesnake-search[{extra}]'"
            raise MissingExtraError(f"{', '.join(missing)} not installed: run {install}")


def in_a_line(error: Exception) -> str:
    """Return an error of a database in one line: drivers append statements and links."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def _url(text: str) -> str:
    if text.startswith(_POSTGRES):
        require("outcomes", "postgres")
        return "postgresql+asyncpg://" + text.partition("://")[2]
    if "://" in text:
        raise ValueError(f"{text!r} is neither a file's path nor postgresql://user@host/database nor {NONE}")
    require("outcomes")
    return f"{_FILE}{Path(text).expanduser().absolute()}"


def _read_option(context: click.Context, option: click.Parameter, value: str | None) -> OutcomesDatabase:
    with suppress(LookupError):
        above: OutcomesDatabase = inherited(context, option.name or "")
        return above
    try:
        return read_database(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


option = click.option(
    "--outcomes",
    callback=_read_option,
    default=None,
    metavar="FILE|URL|none",
    show_default="a file in the user's data directory",
    envvar="OUTCOMES_URL",
    show_envvar=True,
    help="Database for the outcomes of games: an SQLite file, or postgresql://user:password@host/database.",
)
"""The option --outcomes, read as an OutcomesDatabase. A subcommand inherits the value given before it."""
