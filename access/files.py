"""Files that are read again when they change, while a program runs."""

import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from commandline.structlog_alone import structlog

log = structlog.get_logger(__name__)

INTERVAL = 1.0
"""Seconds between two looks at the files. There is no timer: an idle program does not look."""

_Value = TypeVar("_Value")

_State = tuple[tuple[int, int, int] | None, ...]


class WatchedFiles(Generic[_Value]):
    """What is read from some files, read again when one of them has changed. Threads may share it.

    `read` raises OSError or ValueError if the files are missing or invalid. The constructor passes that on;
    later the former value stays in force, and a warning names the files. So a certificate and its key can be
    replaced one after the other.
    """

    def __init__(self, paths: Sequence[Path], read: Callable[[], _Value]) -> None:
        self._paths = tuple(paths)
        self._read = read
        self._lock = threading.Lock()
        self._state = self._look()
        self._value = read()
        self._next_look = time.monotonic() + INTERVAL

    @property
    def value(self) -> _Value:
        """What the files held when they were last read without an error."""
        # A second thread takes the former value rather than wait for a disk.
        if time.monotonic() >= self._next_look and self._lock.acquire(blocking=False):
            try:
                self._refresh()
            finally:
                self._lock.release()
        return self._value

    def _refresh(self) -> None:
        self._next_look = time.monotonic() + INTERVAL
        # The state is that from before reading: a change in between is seen at the next look.
        state = self._look()
        if state == self._state:
            return
        self._state = state
        try:
            self._value = self._read()
        except (OSError, ValueError) as error:
            log.warning("files not read again", files=self._names(), reason=str(error), effect="as before")
        else:
            log.info("files read again", files=self._names())

    def _look(self) -> _State:
        return tuple(map(_state_of, self._paths))

    def _names(self) -> list[str]:
        return [str(path) for path in self._paths]


def _state_of(path: Path) -> tuple[int, int, int] | None:
    """Return what changes whenever a file is written or replaced; None if it is missing."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
