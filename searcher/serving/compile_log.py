"""The progress of compiling as log events: a server shares its terminal with others, so it draws no bar."""

import time
from collections.abc import Callable, Mapping

import structlog
from structlog.typing import EventDict

from battlesnake_search.common.logs import Layout

_PAUSE = 10.0
"""Seconds between two lines, except for the first and the last one."""

_log = structlog.get_logger()


class CompileLog:
    """Receives progress and logs some of it at level info, the rest at level debug. One thread at a time.

    `count` receives the numbers of parts that are done and of all parts.
    """

    def __init__(self, count: Callable[[int, int], None], now: Callable[[], float] = time.monotonic) -> None:
        self._count = count
        self._now = now
        self._logged_at = -_PAUSE
        self._done: int | None = None

    def __call__(self, label: str, done: int, total: int) -> None:
        """Log that `done` of `total` parts are compiled, and the label."""
        self._count(done, total)
        now = self._now()
        # A label without a further part is a message of its own, such as that a compiling process died.
        due = done in (0, total, self._done) or now - self._logged_at >= _PAUSE
        if due:
            self._logged_at = now
        self._done = done
        (_log.info if due else _log.debug)("compiling", label=label, done=done, total=total)


def _compiling(event: EventDict) -> str:
    return f"{event['label']} ({event['done']} of {event['total']})"


LAYOUTS: Mapping[str, Layout] = {"compiling": _compiling}
"""The texts of the searcher's events, by the event's name."""
