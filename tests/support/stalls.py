"""Stalls: of the whole machine, during which no program responds in time, and of single processes."""

import threading
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path

_NAP = 0.005
"""Seconds, short compared with the stalls that matter and long enough to cost nothing."""

_LOOK = 0.05
"""Seconds between two looks at a process."""


class _Watch(ABC):
    """A thread that measures again and again how long something stood still."""

    def __init__(self) -> None:
        self._longest = 0.0
        threading.Thread(target=self._watch, name=type(self).__name__, daemon=True).start()

    def longest(self) -> float:
        """Return the longest stall since the previous call, in seconds."""
        longest, self._longest = self._longest, 0.0
        return longest

    @abstractmethod
    def _watch(self) -> None:
        """Measure, in the thread."""


class StallWatch(_Watch):
    """A thread that sleeps repeatedly and measures by how much it oversleeps, as every thread then would."""

    def _watch(self) -> None:
        while True:
            start = time.monotonic()
            time.sleep(_NAP)
            self._longest = max(self._longest, time.monotonic() - start - _NAP)


class ProcessWatch(_Watch):
    """A thread that looks at how long the main thread of a process waits for a processor between two looks.

    A process in a control group of its own may wait when this one does not. Only Linux counts that.
    """

    def __init__(self, process: int) -> None:
        self._statistics = Path(f"/proc/{process}/schedstat")
        super().__init__()

    def _watch(self) -> None:
        """Look until the process has ended."""
        with suppress(OSError):
            waited = self._read()
            while True:
                time.sleep(_LOOK)
                before, waited = waited, self._read()
                self._longest = max(self._longest, waited - before)

    def _read(self) -> float:
        """Return the seconds that it has waited so far."""
        # Nanoseconds on a processor, nanoseconds of waiting for one, turns.
        _, waited, _ = self._statistics.read_text().split()
        return int(waited) / 1e9
