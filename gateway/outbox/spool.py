"""The file of the outbox: its place, and the older events in order, each as a record with a checksum.

All functions and methods block, and belong into one thread. Any thread may read the attributes.
"""

import errno
import fcntl
import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from battlesnake_search.common.logs import get_logger
from battlesnake_search.record.wire import MOST_EVENT_BYTES

log = get_logger(__name__)

MOST_NAMES = 64
"""The names of a port's files: outbox-PORT, outbox-PORT-2, and so on."""

MAGIC = b"outbox 1"
"""The first bytes of a file that is not empty."""

_HEADER = struct.Struct("<II")
"""Before each body: its length in bytes, and its CRC-32."""

_PREFIX = struct.Struct("<Q?")
"""The beginning of a body: the event's number, and whether it is kept. The event follows."""

OVERHEAD = _HEADER.size + _PREFIX.size
"""The bytes of a record besides the event."""

_PIECE = 64 * 1024
"""The bytes that are read at once. Each read lets the event loop run, so a piece takes no milliseconds."""


class NoPlaceError(Exception):
    """There is no place for a file."""


def default_folder() -> Path:
    """Return the project's folder in the user's data directory by the XDG Base Directory Specification.

    Raises NoPlaceError if no variable and no entry of the user names a home directory.
    """
    data = os.environ.get("XDG_DATA_HOME")
    home = os.path.expanduser("~")
    if not data and home == "~":
        raise NoPlaceError("there is no home directory: set XDG_DATA_HOME or HOME")
    return Path(data or os.path.join(home, ".local", "share")) / "battlesnake-search"


def claim(folder: Path, port: int) -> tuple[Path, int]:
    """Return the path of the first free file, and the descriptor that holds its lock.

    Files with events come first, so that an earlier process leaves none behind. Raises OSError for an
    unusable folder, and NoPlaceError if no file is free.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"outbox-{port}", *(f"outbox-{port}-{number}" for number in range(2, MOST_NAMES + 1))]
    for path in sorted((folder / name for name in names), key=_is_empty):
        # The lock is a file of its own, because a full outbox is replaced by another file.
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
        except OSError:
            os.close(lock)
            raise
        else:
            return path, lock
    raise NoPlaceError(f"other processes use all {MOST_NAMES} files of the port")


def _is_empty(path: Path) -> bool:
    return not path.exists() or not path.stat().st_size


class Event(NamedTuple):
    """An event. `data` is the serialized message. Starts and ends of games are kept longer than moves."""

    number: int
    data: bytes
    is_kept: bool


class Spool:
    """The file at a path, which no other process may use. It has at most `most_bytes`, at least 4 MB.

    There is no index: events leave from the beginning, and a read goes on where the last one ended.
    """

    def __init__(self, path: Path, most_bytes: int) -> None:
        """Open or create the file, and find its events. Raises OSError if the file can't be used."""
        self._path, self._most = path, most_bytes
        self.dropped = 0
        """The events that were dropped because the file was full or damaged."""
        self._file = _opened(path)
        _sync_folder(path.parent)
        self._reset()
        self._recover()

    def _reset(self) -> None:
        """Begin a file without events."""
        self._start = len(MAGIC)
        """The offset of the oldest event that is not acknowledged."""
        self._end = 0
        """The offset behind the newest event; 0 for an empty file."""
        self._place = (0, self._start)
        """A number and an offset. All events behind the offset have higher numbers."""
        self.last = 0
        """The number of the newest event."""
        self.count, self._is_synced = 0, True

    def _recover(self) -> None:
        """Find the events of the file, up to a torn or corrupt one. The rest is cut off."""
        has_head = os.pread(self._file, self._start, 0) == MAGIC
        size = os.fstat(self._file).st_size
        for event, end in _scan(self._file, self._start, size if has_head else 0):
            # Numbers ascend. Behind the end of the file, older records may have remained.
            if event.number <= self.last:
                break
            self.count, self.last, self._end = self.count + 1, event.number, end
        if size > max(self._end, self._start if has_head else 0):
            if self.count:
                log.warning("outbox cut off", file=str(self._path), bytes=size - self._end)
                os.ftruncate(self._file, self._end)
            else:
                log.warning("outbox damaged", file=str(self._path), set_aside=str(self.set_aside()))
        # A killed process may have left events that the disk does not have yet.
        self._is_synced = not self.count

    @property
    def size(self) -> int:
        """The bytes of the file's events."""
        return max(0, self._end - self._start)

    def append(self, events: Sequence[Event]) -> None:
        """Append events of at most 1 MB. If the file would get too large, drop older ones.

        Raises OSError, and then appends none.
        """
        data = b"".join(map(_encoded, events))
        if self._end + len(data) > self._most:
            self._rewrite()
        offset, view = self._end, memoryview(data if self._end else MAGIC + data)
        self._is_synced = False
        try:
            while view:
                written = os.pwrite(self._file, view, offset)
                offset, view = offset + written, view[written:]
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise
        self.count, self.last, self._end = self.count + len(events), events[-1].number, offset

    def sync(self) -> None:
        """Wait until the disk has the file. Raises OSError."""
        if not self._is_synced:
            os.fsync(self._file)
            self._is_synced = True

    def read(self, after: int, most_bytes: int) -> tuple[bytes, int]:
        """Return the oldest events after a number, joined, and the number of the last one.

        They have at most `most_bytes`, or are one event. Without any, return no bytes and `after`. If the
        file is unreadable or damaged, set it aside and raise OSError.
        """
        if not self.count or after >= self.last:
            return b"", after
        try:
            found = self._found(after, most_bytes)
        except OSError:
            self.set_aside()
            raise
        return b"".join(event.data for event in found), found[-1].number

    def _found(self, after: int, most_bytes: int) -> list[Event]:
        found, size = list[Event](), 0
        start = max(self._start, self._place[1] if self._place[0] <= after else 0)
        for event, end in _scan(self._file, start, self._end):
            if event.number > after:
                size += len(event.data)
                if found and size > most_bytes:
                    return found
                found.append(event)
            self._place = (event.number, end)
        if not found:
            raise OSError(errno.EIO, "a record is damaged", str(self._path))
        return found

    def forget(self, number: int) -> None:
        """Forget the events up to a number. Without others, empty the file. Raises OSError."""
        if self.count and number >= self.last:
            self._reset()
            os.ftruncate(self._file, 0)
            return
        for event, end in _scan(self._file, self._start, self._end):
            if event.number > number:
                return
            self.count, self._start = self.count - 1, end

    def _rewrite(self) -> None:
        """Replace the file by a new one without acknowledged and without dropped events. Raises OSError.

        If the others fill over three quarters, it drops moves down to a half, and `is_kept` events down to
        three quarters. So a quarter is free, and this is rare.
        """
        most, before = self._most * 3 // 4, self.count
        moves = self.size - self._most // 2 if self.size > most else 0
        kept = sum(len(event.data) + OVERHEAD for event in self._events() if event.is_kept) - most
        new = self._path.with_name(f"{self._path.name}.new")
        file = _opened(new, os.O_TRUNC)
        try:
            with open(file, "wb", buffering=_PIECE, closefd=False) as writer:
                writer.write(MAGIC)
                writer.writelines(map(_encoded, remaining(self._events(), moves, kept, OVERHEAD)))
            os.fsync(file)
            new.replace(self._path)
        except OSError:
            os.close(file)
            new.unlink(missing_ok=True)
            raise
        self._use(file)
        self._recover()
        self.dropped += before - self.count

    def _events(self) -> Iterator[Event]:
        return (event for event, _ in _scan(self._file, self._start, self._end))

    def set_aside(self) -> Path:
        """Rename the file to NAME.damaged, count its events as dropped, and begin another file."""
        aside = self._path.with_name(f"{self._path.name}.damaged")
        self.dropped += self.count
        self._reset()
        # If the disk is lost, even this fails. Then the next events overwrite the file.
        with suppress(OSError):
            self._path.replace(aside)
            self._use(_opened(self._path))
        return aside

    def _use(self, file: int) -> None:
        """Go on with another file, which now has the path."""
        os.close(self._file)
        self._file = file
        self._reset()
        _sync_folder(self._path.parent)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def _opened(path: Path, flags: int = 0) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | flags, 0o600)


def _sync_folder(folder: Path) -> None:
    """Write a changed name in a folder to the disk. Some file systems can't, and then need not."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def _encoded(event: Event) -> bytes:
    """Return the record of an event."""
    body = _PREFIX.pack(event.number, event.is_kept) + event.data
    return _HEADER.pack(len(body), zlib.crc32(body)) + body


def _scan(file: int, offset: int, end: int) -> Iterator[tuple[Event, int]]:
    """Yield the events of a file from an offset on, each with the offset behind it.

    The scan stops at `end`, and before a torn or corrupt record. Raises OSError.
    """
    size = _PIECE
    while offset < end:
        piece = os.pread(file, min(size, end - offset), offset)
        read = 0
        for event, read in _complete(piece):
            yield event, offset + read
        if not read and size > _PIECE:
            return
        # A record that is longer than a piece is read at once.
        size = _PIECE if read else MOST_EVENT_BYTES + OVERHEAD
        offset += read


def _complete(piece: bytes) -> Iterator[tuple[Event, int]]:
    """Yield the complete and correct records at the beginning of a piece, each with the offset behind it."""
    end = 0
    while len(piece) - end >= OVERHEAD:
        start = end + _HEADER.size
        length, checksum = _HEADER.unpack_from(piece, end)
        end = start + length
        if length < _PREFIX.size or end > len(piece) or zlib.crc32(piece[start:end]) != checksum:
            return
        number, is_kept = _PREFIX.unpack_from(piece, start)
        yield Event(number, piece[start + _PREFIX.size : end], is_kept), end


def remaining(events: Iterable[Event], moves: int, kept: int, overhead: int) -> Iterator[Event]:
    """Yield the events without the oldest of each kind, as many as the bytes of the kind to drop.

    `moves` are the bytes of events that are not kept. An event has `overhead` bytes besides its data.
    """
    over = {False: moves, True: kept}
    for event in events:
        if over[event.is_kept] > 0:
            over[event.is_kept] -= len(event.data) + overhead
        else:
            yield event
