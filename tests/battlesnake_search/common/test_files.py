"""Files that are read again when they change."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from battlesnake_search.common import access
from battlesnake_search.common.access import WatchedFiles


@pytest.fixture(autouse=True)
def _always_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the files at each use of a value."""
    monkeypatch.setattr(access, "INTERVAL", 0.0)


def _number(path: Path) -> int:
    return int(path.read_text())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file with the number 1."""
    path = tmp_path / "number"
    path.write_text("1")
    return path


def test_a_change_is_read(file: Path) -> None:
    """What is written to a file, or put in its place, is in force at the next look."""
    watched = WatchedFiles((file,), lambda: _number(file))
    assert watched.value == 1
    file.write_text("22")
    assert watched.value == 22
    other = file.with_name("other")
    other.write_text("33")
    other.replace(file)
    assert watched.value == 33


def test_no_change_is_not_read(file: Path) -> None:
    """Files that are as before are not read."""
    reads: list[int] = []
    watched = WatchedFiles((file,), lambda: reads.append(1))
    assert [watched.value for _ in range(3)] == [None] * 3
    assert reads == [1]


def test_between_two_looks_the_files_are_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy program does not look at the files each time."""
    monkeypatch.setattr(access, "INTERVAL", 3600.0)
    watched = WatchedFiles((file,), lambda: _number(file))
    file.write_text("22")
    assert watched.value == 1


def test_after_a_look_the_files_are_left_alone_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause between two looks begins anew with each."""
    watched = WatchedFiles((file,), lambda: _number(file))
    monkeypatch.setattr(access, "INTERVAL", 3600.0)
    file.write_text("22")
    assert watched.value == 22
    file.write_text("333")
    assert watched.value == 22


def test_nobody_waits_while_another_reads(file: Path) -> None:
    """While a slow disk is being read, others get the former value at once."""
    is_reading, may_end = threading.Event(), threading.Event()

    def read() -> int:
        if is_late:
            is_reading.set()
            assert may_end.wait(20.0)
        return _number(file)

    is_late = False
    watched = WatchedFiles((file,), read)
    is_late = True
    file.write_text("22")
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(lambda: watched.value)
        assert is_reading.wait(20.0)
        try:
            assert pool.submit(lambda: watched.value).result(20.0) == 1
        finally:
            may_end.set()
        assert slow.result() == 22


@pytest.mark.parametrize("content", ["none", None])
def test_an_invalid_change_leaves_the_former_value(file: Path, content: str | None) -> None:
    """A file that is invalid or gone is reported once, and taken when it is valid again."""
    watched = WatchedFiles((file,), lambda: _number(file))
    file.unlink() if content is None else file.write_text(content)
    with capture_logs() as logs:
        assert [watched.value for _ in range(3)] == [1, 1, 1]
    assert [(entry["log_level"], entry["files"]) for entry in logs] == [("warning", [str(file)])]
    file.write_text("333")
    assert watched.value == 333


def test_any_of_several_files_counts(file: Path) -> None:
    """The value is read again when one of its files changes."""
    second = file.with_name("second")
    second.write_text("5")
    watched = WatchedFiles((file, second), lambda: _number(file) + _number(second))
    second.write_text("70")
    assert watched.value == 71


def test_files_must_be_valid_at_first(tmp_path: Path) -> None:
    """A program that begins with invalid files is told why."""
    missing = tmp_path / "missing"
    with pytest.raises(OSError, match="missing"):
        WatchedFiles((missing,), lambda: _number(missing))
