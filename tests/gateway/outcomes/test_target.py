"""How --outcomes is read."""

import sys
from pathlib import Path

import pytest

from gateway.outcomes.target import MissingExtraError, target_of


def test_a_path_is_a_file_of_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative, absolute and home paths give the file's whole path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/me")
    assert target_of("a.sqlite").url == f"sqlite+aiosqlite:///{tmp_path}/a.sqlite"
    assert target_of("/x/a b.sqlite").url == "sqlite+aiosqlite:////x/a b.sqlite"
    assert target_of("~/a.sqlite").url == "sqlite+aiosqlite:////home/me/a.sqlite"


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_a_url_is_a_postgresql_database(scheme: str) -> None:
    """Both of its schemes are understood, and the rest stays."""
    target = target_of(f"{scheme}://me:pass@host:5433/games")
    assert target.url == "postgresql+asyncpg://me:pass@host:5433/games"


@pytest.mark.parametrize("text", [None, ""])
def test_the_default_is_a_file_of_the_user(text: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lies in the user's data directory, wherever that is."""
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert target_of(text).url == "sqlite+aiosqlite:////data/battlesnake-search/outcomes.sqlite"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert "/home/me/.local/share/battlesnake-search/" in target_of(text).url


def test_none_is_nowhere() -> None:
    """Without a URL there is a reason."""
    assert target_of("none").url == "" and target_of("none").reason


def test_another_database_is_refused() -> None:
    """The error names what was given and what is valid."""
    with pytest.raises(ValueError, match=r"'mysql://x' is neither .* postgresql://.* nor none"):
        target_of("mysql://x")


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL without its driver says what to install; the default does without."""
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(MissingExtraError, match=r"asyncpg not installed: .*\[postgres\]"):
        target_of("postgresql://host/games")
    monkeypatch.setitem(sys.modules, "alembic", None)
    assert target_of(None).url == "" and "[outcomes]" in target_of(None).reason
