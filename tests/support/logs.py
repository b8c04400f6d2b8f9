"""The events that code under test logs."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from battlesnake_search.common.logs import OWN, EventDict

_ROOTS = (OWN, None)
"""The names of the loggers that the project configures: its own, and the one above all others."""


class _Capture(logging.Handler):
    """Collects events in a list."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[EventDict] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep an event: its name, its level, its fields and its exception."""
        error = {"exc_info": record.exc_info[1]} if record.exc_info else {}
        fields = getattr(record, "fields", {})
        named = {"event": record.getMessage(), "log_level": record.levelname.lower()}
        self.events.append({**fields, **error, **named})


@contextmanager
def capture_logs() -> Iterator[list[EventDict]]:
    """Yield the list of the events that a block logs, at all levels. Nothing of them is printed."""
    logger, capture = logging.getLogger(OWN), _Capture()
    with same_logs():
        logger.handlers, logger.propagate = [capture], False
        logger.setLevel(logging.DEBUG)
        yield capture.events


@contextmanager
def same_logs() -> Iterator[None]:
    """Restore the settings of the loggers after a block."""
    before = [(logger, logger.handlers, logger.propagate, logger.level) for logger in _loggers()]
    try:
        yield
    finally:
        for logger, handlers, propagate, level in before:
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)


def _loggers() -> list[logging.Logger]:
    return [logging.getLogger(name) for name in _ROOTS]
