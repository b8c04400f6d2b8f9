"""Lines of the log that callers can cause: one a second of each kind, with the number left out."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from google.protobuf.message import DecodeError

from battlesnake_search.common.logs import Logger

PAUSE = 1.0
"""Seconds between two lines of a kind."""

_LIBRARIES = ("grpc._cython.cygrpc", "asyncio")
"""The loggers of libraries that log the faults of calls, each with a stack trace."""


class Sparse:
    """Lets one line of each kind pass in a second. Threads may share it.

    A kind is a text of the program, never one of a caller, because each kind takes memory.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._kinds: dict[str, tuple[float, int]] = {}
        """The time of the next line of each kind, and the lines that were left out since the last one."""

    def left_out(self, kind: str) -> int | None:
        """Return the number of lines left out since the last one, or None to leave out this one too."""
        with self._lock:
            due, count = self._kinds.get(kind, (0.0, 0))
            now = self._now()
            self._kinds[kind] = (due, count + 1) if now < due else (now + PAUSE, 0)
            return None if now < due else count

    def error(self, log: Logger, event: str, /, exc_info: BaseException | None = None, **fields: Any) -> None:
        """Log a fault unless the same event was logged less than a second ago."""
        if (count := self.left_out(event)) is not None:
            log.error(event, exc_info=exc_info, **(fields | ({"left_out": count} if count else {})))


FAULTS = Sparse()
"""The faults of this process that callers can cause."""


class _Filter(logging.Filter):
    """Lets one record of each logger and level pass in a second.

    An unreadable message is the fault of a caller, so its record has no stack trace.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sparse = Sparse()

    def filter(self, record: logging.LogRecord) -> bool:
        count = self._sparse.left_out(f"{record.name} {record.levelno}")
        if count:
            record.msg, record.args = f"{record.getMessage()} ({count} others left out)", ()
        if record.exc_info and isinstance(record.exc_info[1], DecodeError):
            record.exc_info = None
        return count is not None


@contextmanager
def sparse_libraries() -> Iterator[None]:
    """Until the block ends, let libraries log one fault of a call in a second."""
    loggers, found = [logging.getLogger(name) for name in _LIBRARIES], _Filter()
    for logger in loggers:
        logger.addFilter(found)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(found)


class SparseLogger:
    """A logger of events that strangers can cause: `burst` lines at once, and then `rate` lines a second.

    The line after a gap has the number of lines that were left out.
    """

    def __init__(
        self, logger: Logger, burst: int, rate: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._logger = logger
        self._burst = burst
        self._rate = rate
        self._now = now
        self._lines, self._updated = float(burst), now()
        """The lines that may be logged now, as of the last update."""
        self._left_out = 0

    def log(self, level: int, event: str, /, **fields: Any) -> None:
        """Log an event of a level of the module `logging`, or count it."""
        now = self._now()
        self._lines = min(self._lines + (now - self._updated) * self._rate, self._burst)
        self._updated = now
        if self._lines < 1:
            self._left_out += 1
            return
        self._lines -= 1
        if self._left_out:
            fields["left_out"], self._left_out = self._left_out, 0
        self._logger.log(level, event, **fields)
