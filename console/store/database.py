"""The option --outcomes, the address of the database: an SQLite file, a PostgreSQL server, or none."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import click

from battlesnake_search.common.cli import inherited
from battlesnake_search.record.extras import POSTGRES, MissingExtraError, require_for
from battlesnake_search.record.options import OUTCOMES

NONE = "none"
"""The value of the option that records nothing."""

_FILE = "sqlite+aiosqlite:///"
"""The prefix of a file's SQLAlchemy URL."""

_INTERNAL = re.compile(r"\[Errno -?\d+\] |^\((?:\w+\.)+\w+\) (?:<class '[^']*'>: )?")
"""Parts of an error that are not for people: the system's number, and a driver's classes."""

_CAUSES = (
    (re.compile("readonly database"), "its file or folder can't be written, and SQLite writes even to read"),
    (re.compile("unable to open database file"), "its file can't be opened or created in its folder"),
    (re.compile("file is not a database"), "its file is not an SQLite database"),
    (re.compile("Name or service not known"), "the name of its host is unknown"),
    (re.compile(r"Connect call failed \('([^']+)', (\d+)"), r"nothing listens on \1, port \2"),
)
"""Causes in words, each with a pattern for the text of an error."""

_INCURABLE_CODES = frozenset({"08P01", "28000", "28P01", "3D000", "42501", "42704"})
"""PostgreSQL's codes for a startup that is refused: its words, user, password, database and rights."""

_INCURABLE_WORDS = re.compile("readonly database|unable to open database file|file is not a database")
"""SQLite's errors of a file that can't be used."""

_INCURABLE = (TypeError, ValueError, PermissionError, FileExistsError, NotADirectoryError)

_SECRETS = re.compile(r"((?://[^:/?@]*:)|(?:[?&](?:ssl)?password=))[^@&]*")

_WITHOUT_EFFECT = frozenset(
    {
        *("channel_binding", "client_encoding", "gssencmode", "gssdelegation", "load_balance_hosts"),
        *("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"),
        *("min_protocol_version", "max_protocol_version", "sslcertmode", "sslcompression", "sslsni"),
        "sslkeylogfile",
        # Other drivers read these, and providers show them.
        *("pgbouncer", "connection_limit", "pool_timeout", "supa", "uselibpqcompat"),
        *("prepared_statement_cache_size", "statement_cache_size"),
    }
)
"""The words of libpq that asyncpg lacks. asyncpg would pass them on to the server."""

REMEDY = "change --outcomes (OUTCOMES_URL) or the database, because another attempt can't cure this"


class RefusedError(Exception):
    """The database refuses a row because of its values, and refuses it again at each attempt."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(in_a_line(cause))


@dataclass(frozen=True, slots=True)
class OutcomesDatabase:
    """A database by its URL: an SQLAlchemy URL for a file, or a libpq URL for a server.

    Without a database the URL is empty, and `reason` explains it.
    """

    url: str
    reason: str = ""

    @property
    def ignored(self) -> str:
        """The words of the URL that have no effect."""
        return ", ".join(ignored_words(self.url)) if self.url.startswith(POSTGRES) else ""


NO_DATABASE = OutcomesDatabase("", "--outcomes is none")


def read_database(text: str | None) -> OutcomesDatabase:
    """Read the option: a file's path, postgresql://user:password@host/database, or none.

    Without text, use the default file, or no database if the packages for it or the home directory are
    missing. Raises ValueError for another kind of URL, for a folder, and for a path without an absolute one.
    Raises MissingExtraError for missing packages.
    """
    if text == NONE:
        return NO_DATABASE
    if text and os.path.isdir(text):
        raise ValueError(f"{text!r} is a folder: name a file in it")
    if text:
        return OutcomesDatabase(_url(text))
    file = _default_file()
    if file is None:
        return OutcomesDatabase("", "there is no home directory: set --outcomes, or HOME")
    try:
        return OutcomesDatabase(_url(str(file)))
    except MissingExtraError as error:
        return OutcomesDatabase("", str(error))


def _default_file() -> Path | None:
    """Return the default file, in the user's data directory by the XDG Base Directory Specification.

    Return None if no variable and no entry of the user names a home directory, as in some containers.
    """
    data = os.environ.get("XDG_DATA_HOME")
    home = os.path.expanduser("~")
    if not data and home == "~":
        return None
    return Path(data or os.path.join(home, ".local", "share")) / "battlesnake-search" / "outcomes.sqlite"


def file_of(url: str) -> Path | None:
    """Return the file of the database at a URL; None for a server."""
    return Path(url.removeprefix(_FILE)) if url.startswith(_FILE) else None


def name_of(url: str) -> str:
    """Return the name of a database for people: the path of a file, or a server's URL without passwords."""
    return str(file_of(url) or _SECRETS.sub(r"\1***", url))


def arguments_of(url: str) -> dict[str, Any]:
    """Return the arguments of asyncpg for a URL. A word without a value counts as none."""
    address, _, query = url.partition("?")
    words = {name: value for name, value in parse_qsl(query) if name not in _WITHOUT_EFFECT}
    arguments: dict[str, Any] = {}
    if seconds := words.pop("connect_timeout", ""):
        arguments["timeout"] = float(seconds)
    if name := words.pop("fallback_application_name", ""):
        words.setdefault("application_name", name)
    if words.pop("ssl", ""):
        words.setdefault("sslmode", "require")
    if words.get("sslrootcert") == "system":
        # libpq checks the name of the host, too. For asyncpg, this value is the name of a file.
        del words["sslrootcert"]
        arguments["ssl"] = True
    return {"dsn": f"{address}?{urlencode(words)}" if words else address, **arguments}


def ignored_words(url: str) -> tuple[str, ...]:
    """Return the words of a URL without an effect, each with its value."""
    words = parse_qsl(url.partition("?")[2])
    return tuple(f"{name}={value}" for name, value in words if name in _WITHOUT_EFFECT)


def in_a_line(error: Exception) -> str:
    """Return an error of a database in one line, without statements, links and classes."""
    text = _INTERNAL.sub("", str(error).partition("\n")[0])
    for pattern, words in _CAUSES:
        if found := pattern.search(text):
            return found.expand(words)
    return text or ("no answer in time" if isinstance(error, TimeoutError) else type(error).__name__)


def is_incurable(error: BaseException) -> bool:
    """Return whether the address or the database has to change before an attempt can succeed."""
    # SQLAlchemy has the error of the driver in `orig`, and the driver's errors of a server have a code.
    cause = getattr(error, "orig", None) or error
    is_refused = getattr(cause, "sqlstate", None) in _INCURABLE_CODES
    return is_refused or isinstance(cause, _INCURABLE) or bool(_INCURABLE_WORDS.search(str(cause)))


def _url(text: str) -> str:
    if text.startswith(POSTGRES):
        require_for(text)
        return "postgresql://" + text.partition("://")[2]
    if "://" in text:
        # The rest of a URL may have a password.
        scheme = text.partition("://")[0]
        raise ValueError(
            f"{scheme}:// is neither a file's path nor postgresql://user@host/database nor {NONE}"
        )
    require_for(text)
    try:
        return f"{_FILE}{Path(text).expanduser().absolute()}"
    except RuntimeError as error:
        raise ValueError(f"{text!r}: there is no such home directory; give an absolute path") from error
    except FileNotFoundError as error:
        raise ValueError(f"{text!r}: the working directory was deleted; give an absolute path") from error


def _read_option(context: click.Context, option: click.Parameter, value: str | None) -> OutcomesDatabase:
    above = inherited(context, option.name or "", None)
    try:
        return read_database(value) if above is None else above
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


option = OUTCOMES.declared(callback=_read_option)
"""The option --outcomes, read as an OutcomesDatabase. A subcommand inherits the value given before it."""
