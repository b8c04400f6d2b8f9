"""Where outcomes go: a file of SQLite, a PostgreSQL database, or nowhere."""

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import click
from click.core import ParameterSource

NOWHERE = "none"

_POSTGRES = ("postgresql://", "postgres://")
_NEEDED = {
    "outcomes": ("sqlalchemy", "aiosqlite", "alembic"),
    "postgres": ("asyncpg",),
    "experiments": ("openskill", "rich", "scipy"),
}
"""By extra of this project, the packages that it installs."""


class MissingExtraError(ValueError):
    """What only an extra of this project installs is not there."""


@dataclass(frozen=True, slots=True)
class Target:
    """The SQLAlchemy URL of a database, and the `text` that it was read from.

    Without a database the URL is empty, and there is a reason.
    """

    text: str
    url: str
    reason: str = ""


NO_TARGET = Target(NOWHERE, "", "none was asked for")


def target_of(text: str | None) -> Target:
    """Read the option: a file's path, postgresql://user:password@host/database, or none.

    None: the default file, or nowhere if what it needs is not installed. Raises ValueError for another
    kind of URL, MissingExtraError for what is not installed.
    """
    if text == NOWHERE:
        return NO_TARGET
    if text:
        return Target(text, _url(text))
    file = str(default_file())
    try:
        return Target(file, _url(file))
    except MissingExtraError as error:
        return Target(NOWHERE, "", str(error))


def default_file() -> Path:
    """The file in the user's data directory, as the XDG Base Directory Specification has it."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return Path(home) / "battlesnake-search" / "outcomes.sqlite"


def require(*extras: str) -> None:
    """Raise MissingExtraError unless what these extras of this project install is there."""
    for extra in extras:
        missing = [name for name in _NEEDED[extra] if find_spec(name) is None]
        if missing:
            install = f"pip install 'battlesnake-search[{extra}]'"
            raise MissingExtraError(f"{', '.join(missing)} not installed: {install} installs what is needed")


def _url(text: str) -> str:
    if text.startswith(_POSTGRES):
        require("outcomes", "postgres")
        return "postgresql+asyncpg://" + text.partition("://")[2]
    if "://" in text:
        raise ValueError(
            f"{text!r} is neither a file's path nor postgresql://user@host/database nor {NOWHERE}"
        )
    require("outcomes")
    return f"sqlite+aiosqlite:///{Path(text).expanduser().absolute()}"


def _read(context: click.Context, option: click.Parameter, value: str | None) -> Target:
    own = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
    if context.parent and not own:
        given: Target = context.parent.params["outcomes"]
        return given
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
"""The command line's --outcomes, read as a Target; a subcommand takes over what stands before it."""
