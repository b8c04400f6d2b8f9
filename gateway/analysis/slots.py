"""The bound on analyses at once: games are played by the same searchers."""

from collections.abc import Iterator
from contextlib import contextmanager

MOST = 2
"""Analyses that run at once in a gateway: two strategies side by side."""


class BusyError(Exception):
    """All slots are taken."""


class Slots:
    """The slots of analyses."""

    def __init__(self, most: int = MOST) -> None:
        self._free = most
        self._most = most

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Take a slot until the block ends. Raises BusyError if there is none."""
        if not self._free:
            raise BusyError(f"{self._most} analyses are running, which is the most at once: try again later")
        self._free -= 1
        try:
            yield
        finally:
            self._free += 1
