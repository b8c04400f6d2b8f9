"""The name of the outbox's file, and who may use it."""

import os
from pathlib import Path

import pytest

from gateway.outbox.place import MOST_NAMES, NoPlaceError, claim, default_folder


def test_the_default_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """XDG_DATA_HOME comes first, and then the home directory."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert default_folder() == tmp_path / ".local/share/battlesnake-search"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_folder() == Path("/data/battlesnake-search")


def test_without_a_home_there_is_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container's user may have no home directory."""
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    with pytest.raises(NoPlaceError):
        default_folder()


def test_each_process_has_a_file_of_its_own(tmp_path: Path) -> None:
    """The first free name is taken, up to the last one."""
    claims = [claim(tmp_path / "new", 8000) for _ in range(MOST_NAMES)]
    assert [path.name for path, _ in claims[:3]] == ["outbox-8000", "outbox-8000-2", "outbox-8000-3"]
    with pytest.raises(NoPlaceError):
        claim(tmp_path / "new", 8000)
    os.close(claims[1][1])
    again = claim(tmp_path / "new", 8000)
    assert again[0].name == "outbox-8000-2"
    for _, lock in (*claims[:1], *claims[2:], again):
        os.close(lock)


def test_events_of_an_earlier_process_come_first(tmp_path: Path) -> None:
    """A process that was killed while it had another name leaves events for its successor."""
    (tmp_path / "outbox-8000-2").write_bytes(b"events")
    path, lock = claim(tmp_path, 8000)
    os.close(lock)
    assert path.name == "outbox-8000-2"
