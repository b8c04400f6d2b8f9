"""The option --outcomes."""

import pwd
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from battlesnake_search.record.extras import MissingExtraError
from console.store.database import read_database


def test_a_path_is_a_file_of_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative, absolute and home paths become absolute."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/me")
    assert read_database("a.sqlite").url == f"sqlite+aiosqlite:///{tmp_path}/a.sqlite"
    assert read_database("/x/a b.sqlite").url == "sqlite+aiosqlite:////x/a b.sqlite"
    assert read_database("~/a.sqlite").url == "sqlite+aiosqlite:////home/me/a.sqlite"


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_a_url_is_a_postgresql_database(scheme: str) -> None:
    """Both schemes are accepted, and the rest of the URL is kept."""
    database = read_database(f"{scheme}://me:pass@host:5433/games")
    assert database.url == "postgresql://me:pass@host:5433/games"


@pytest.mark.parametrize("text", [None, ""])
def test_the_default_is_a_file_of_the_user(text: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default file is in the user's data directory, also if a variable moves that."""
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert read_database(text).url == "sqlite+aiosqlite:////data/battlesnake-search/outcomes.sqlite"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert "/home/me/.local/share/battlesnake-search/" in read_database(text).url


def test_without_a_home_directory_nothing_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container may run as a user without an entry and without HOME. A path with ~ is then an error."""

    def getpwuid(uid: int) -> NoReturn:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", getpwuid)
    for variable in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    assert read_database(None).url == ""
    assert read_database(None).reason == "there is no home directory: set --outcomes, or HOME"
    with pytest.raises(ValueError, match=r"'~/a': there is no such home directory; give an absolute path"):
        read_database("~/a")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert read_database(None).url


def test_another_database_is_refused(tmp_path: Path) -> None:
    """The error names the given text and the valid forms. Without a database there is a reason."""
    with pytest.raises(ValueError, match=r"^mysql:// is neither .* postgresql://.* nor none"):
        read_database("mysql://me:secret@x")
    # SQLite would report a folder in the middle of a game.
    with pytest.raises(ValueError, match="is a folder: name a file in it"):
        read_database(str(tmp_path))
    assert read_database("none").url == "" and read_database("none").reason


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing PostgreSQL driver is an error with the extra to install; the default becomes no database."""
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(MissingExtraError, match=r"asyncpg not installed: .*\[postgres\]"):
        read_database("postgresql://host/games")
    monkeypatch.setitem(sys.modules, "aiosqlite", None)
    # The extra postgres has the packages of outcomes, so one installation is enough.
    with pytest.raises(MissingExtraError, match=r"aiosqlite, asyncpg not installed: .*\[postgres\]"):
        read_database("postgresql://host/games")
    assert read_database(None).url == "" and "[outcomes]" in read_database(None).reason
