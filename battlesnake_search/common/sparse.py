"""Lines of the log that callers can cause: only some of each kind, with the number left out."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from google.protobuf.message import DecodeError

from battlesnake_search.common.logs import Logger

PAUSE = 1.0
"""Seconds between two lines of a kind, by default."""

_LIBRARIES = ("grpc._cython.cygrpc", "asyncio")
"""The loggers of libraries that log the faults of calls, each with a stack trace."""


class Sparse:
    """Lets `burst` lines of each kind pass at once, and then `rate` lines a second. Threads may share it.

    The line after a gap has the number of lines that were left out. A kind is a text of the program, never
    the text of a caller, because each kind takes memory.
    """

    def __init__(
        self, burst: int = 1, rate: float = 1 / PAUSE, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst = float(burst)
        self._rate = rate
        self._now = now
        self._lock = threading.Lock()
        self._kinds: dict[str, tuple[float, float, int]] = {}
        """For each kind, the lines that might pass at a time, this time, and the lines left out since the
        last one."""

    def left_out(self, kind: str = "") -> int | None:
        """Return the number of lines left out since the last one, or None to leave out this one too."""
        with self._lock:
            now = self._now()
            lines, updated, count = self._kinds.get(kind, (self._burst, now, 0))
            lines = min(lines + (now - updated) * self._rate, self._burst)
            passes = lines >= 1
            self._kinds[kind] = (lines - 1, now, 0) if passes else (lines, now, count + 1)
            return count if passes else None

    def log(self, log: Logger, level: int, event: str, /, **fields: Any) -> None:
        """Log an event of a level of the module `logging`, or count it. All events are one kind."""
        self._log(log, level, event, "", fields)

    def error(self, log: Logger, event: str, /, exc_info: BaseException | None = None, **fields: Any) -> None:
        """Log a fault, or count it. Each event is a kind."""
        self._log(log, logging.ERROR, event, event, {"exc_info": exc_info, **fields})

    def _log(self, log: Logger, level: int, event: str, kind: str, fields: dict[str, Any]) -> None:
        if (count := self.left_out(kind)) is not None:
            log.log(level, event, **(fields | {"left_out": count} if count else fields))


_UNSENT = 'Failed "execute_batch"'
"""The start of gRPC's error for an answer that could not be sent, because its caller has left."""

FAULTS = Sparse()
"""The faults of this process that callers can cause."""


class _Filter(logging.Filter):
    """Lets one record of each logger and level pass in a second, and none of an unsent answer.

    An unreadable message is the fault of a caller, so its record has no stack trace.
    """

    def __init__(self, on_unsent: Callable[[], object]) -> None:
        super().__init__()
        self._sparse = Sparse()
        self._on_unsent = on_unsent

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and str(record.exc_info[1]).startswith(_UNSENT):
            self._on_unsent()
            return False
        count = self._sparse.left_out(f"{record.name} {record.levelno}")
        if count:
            record.msg, record.args = f"{record.getMessage()} ({count} others left out)", ()
        if record.exc_info and isinstance(record.exc_info[1], DecodeError):
            record.exc_info = None
        return count is not None


@contextmanager
def sparse_libraries(on_unsent: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Until the block ends, let libraries log one fault of a call in a second.

    `on_unsent` is called for each answer that this process could not send.
    """
    loggers, found = [logging.getLogger(name) for name in _LIBRARIES], _Filter(on_unsent)
    for logger in loggers:
        logger.addFilter(found)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(found)
