"""Answers to calls that have ended, because their caller left or their deadline passed: counted."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import grpc.aio

_GRPC = logging.getLogger("grpc._cython.cygrpc")

_UNSENT = 'Failed "execute_batch"'
"""The start of gRPC's error for what it could not send. Other errors are faults of the server."""


_counts: list[Callable[[], None]] = []
"""Of all blocks: a record tells no port, and only the first filter of a log would see it."""


@contextmanager
def counted(count: Callable[[], None]) -> Iterator[None]:
    """Count answers that could not be sent, in the whole process, until the block ends.

    gRPC notices some of these calls only when it sends the answer, and would log each as an error with a
    stack trace: callers with short deadlines could fill the log.
    """
    _GRPC.addFilter(_is_error)
    _counts.append(count)
    try:
        yield
    finally:
        _counts.remove(count)
        if not _counts:
            _GRPC.removeFilter(_is_error)


def _is_error(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if not isinstance(error, grpc.aio.InternalError) or not str(error).startswith(_UNSENT):
        return True
    for count in _counts:
        count()
    return False
