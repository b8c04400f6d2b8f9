"""The file of the outbox: real files, damaged in every way."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.outbox.spool import (
    MAGIC,
    MOST_NAMES,
    OVERHEAD,
    Event,
    NoPlaceError,
    Spool,
    claim,
    default_folder,
)
from tests.gateway.outbox.events import SIZE, event, numbers
from tests.support.logs import capture_logs

MOST = 4 * 2**20

RECORD = SIZE + OVERHEAD


def _spool(folder: Path, events: int = 0) -> Spool:
    spool = Spool(folder / "outbox-1", MOST)
    if events:
        spool.append([event(number) for number in range(1, events + 1)])
    return spool


def _numbers(spool: Spool, after: int = 0) -> list[int]:
    found: list[int] = []
    while True:
        data, after = spool.read(after, 10 * SIZE)
        if not data:
            return found
        found += numbers(data)


def test_events_are_read_in_order_and_from_any_number(tmp_path: Path) -> None:
    """A read goes on behind the last one, or begins again."""
    spool = _spool(tmp_path, events=100)
    assert _numbers(spool) == [*range(1, 101)]
    assert _numbers(spool, 95) == [*range(96, 101)]
    assert _numbers(spool, 3) == [*range(4, 101)]


def test_a_read_goes_on_in_the_file_where_the_last_one_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long file is not read again for each message."""
    spool, pread = _spool(tmp_path, events=100), os.pread
    offsets: list[int] = []

    def noted(file: int, size: int, offset: int) -> bytes:
        offsets.append(offset)
        return pread(file, size, offset)

    monkeypatch.setattr(os, "pread", noted)
    for after in range(0, 100, 10):
        spool.read(after, 10 * SIZE)
    assert offsets == [len(MAGIC) + number * RECORD for number in range(0, 100, 10)]


def test_a_large_event_is_read_alone(tmp_path: Path) -> None:
    """An event that is larger than the bytes of a message, and than a piece of the file, is not lost."""
    spool = _spool(tmp_path)
    spool.append([event(1), event(2, size=512 * 1024), event(3)])
    assert [spool.read(after, 2 * SIZE)[1] for after in range(3)] == [1, 2, 3]
    assert len(spool.read(1, 2 * SIZE)[0]) == 512 * 1024


def test_acknowledged_events_are_forgotten(tmp_path: Path) -> None:
    """The counts have the other events alone. An empty file has no bytes."""
    spool = _spool(tmp_path, events=100)
    spool.forget(40)
    assert (spool.count, spool.size, _numbers(spool)[0]) == (60, 60 * RECORD, 41)
    spool.forget(100)
    assert (spool.count, spool.size, (tmp_path / "outbox-1").stat().st_size) == (0, 0, 0)
    spool.append([event(101)])
    assert _numbers(spool) == [101]


@pytest.mark.parametrize("cut", [1, OVERHEAD + 5, RECORD - 1])
def test_a_torn_tail_is_cut_off(tmp_path: Path, cut: int) -> None:
    """A record that was not written to its end is lost, and the file goes on before it."""
    _spool(tmp_path, events=10).close()
    path = tmp_path / "outbox-1"
    os.truncate(path, path.stat().st_size - cut)
    with capture_logs() as lines:
        spool = _spool(tmp_path)
    assert [line["event"] for line in lines] == ["outbox cut off"]
    spool.append([event(10), event(11)])
    assert _numbers(spool) == [*range(1, 12)]


@pytest.mark.parametrize("offset", range(0, RECORD, 97))
def test_a_corrupt_record_ends_the_file(tmp_path: Path, offset: int) -> None:
    """Any wrong byte is noticed, in the length, the checksum, the number and the event."""
    _spool(tmp_path, events=10).close()
    path = tmp_path / "outbox-1"
    data = bytearray(path.read_bytes())
    data[len(MAGIC) + 6 * RECORD + offset] ^= 0x40
    path.write_bytes(data)
    assert _numbers(_spool(tmp_path)) == [*range(1, 7)]


def test_older_records_behind_the_end_are_cut_off(tmp_path: Path) -> None:
    """Numbers ascend. A correct record with a lower number is a remainder."""
    _spool(tmp_path, events=5).close()
    path = tmp_path / "outbox-1"
    data = path.read_bytes()
    path.write_bytes(data + data[len(MAGIC) + RECORD :])
    assert _numbers(_spool(tmp_path)) == [*range(1, 6)]


@pytest.mark.parametrize(
    "content",
    [b"x", b"SQLite format 3\x00" * 100, MAGIC + b"\x00" * 5000, MAGIC + b"\xff" * 5000, b"\x00" * 8],
)
def test_a_damaged_head_is_set_aside(tmp_path: Path, content: bytes) -> None:
    """A file without one readable event is renamed, logged, and replaced."""
    (tmp_path / "outbox-1").write_bytes(content)
    with capture_logs() as lines:
        spool = _spool(tmp_path, events=3)
    assert [line["event"] for line in lines] == ["outbox damaged"]
    assert (tmp_path / "outbox-1.damaged").read_bytes() == content
    spool.close()
    assert _numbers(_spool(tmp_path)) == [1, 2, 3]


def _fill(spool: Spool, is_kept: Callable[[int], bool], events: int) -> None:
    for start in range(1, events + 1, 100):
        spool.append([event(number, is_kept(number)) for number in range(start, start + 100)])


def test_a_full_file_drops_the_oldest_moves(tmp_path: Path) -> None:
    """Ends stay, moves leave from the oldest on, and the file stays within its bound."""
    spool = _spool(tmp_path)
    _fill(spool, lambda number: number % 10 == 0, 10_000)
    found = _numbers(spool)
    assert (tmp_path / "outbox-1").stat().st_size <= MOST
    assert found == sorted(found) and [number for number in found if number % 10 == 0] == [
        *range(10, 10_001, 10)
    ]
    moves = [number for number in found if number % 10]
    assert moves == [number for number in range(moves[0], 10_001) if number % 10]
    assert len(found) == spool.count == 10_000 - spool.dropped and spool.size >= MOST // 2
    spool.close()
    assert _numbers(_spool(tmp_path)) == found


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that gets full in the middle of a record costs neither earlier nor later events."""
    spool, write = _spool(tmp_path, events=5), os.pwrite
    room = [3 * SIZE]

    def full(file: int, data: memoryview, offset: int) -> int:
        if not room:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data[: room.pop()], offset)

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(OSError, match="space"):
            spool.append([event(number) for number in range(6, 16)])
    assert (_numbers(spool), spool.count) == ([*range(1, 6)], 5)
    spool.append([event(6)])
    spool.close()
    assert _numbers(_spool(tmp_path)) == [*range(1, 7)]


def test_a_failed_rewrite_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk without room for a second file keeps the first, and no part of the second."""
    spool = _spool(tmp_path)
    _fill(spool, lambda number: False, 4000)

    def fail(file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="error"):
        spool.append([Event(4001, b"." * 512 * 1024, False)])
    assert (spool.dropped, _numbers(spool)) == (0, [*range(1, 4001)])
    assert [path.name for path in tmp_path.iterdir()] == ["outbox-1"]


def test_a_record_that_rots_is_an_error(tmp_path: Path) -> None:
    """The events before it are read, and then the file is set aside."""
    spool = _spool(tmp_path, events=10)
    with (tmp_path / "outbox-1").open("r+b") as file:
        file.seek(len(MAGIC) + 4 * RECORD + 100)
        file.write(b"!")
    assert numbers(spool.read(0, 100 * SIZE)[0]) == [1, 2, 3, 4]
    with pytest.raises(OSError, match="damaged"):
        spool.read(4, SIZE)
    assert (tmp_path / "outbox-1.damaged").stat().st_size > 10 * SIZE
    spool.append([event(11)])
    assert (spool.dropped, _numbers(spool)) == (10, [11])


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
