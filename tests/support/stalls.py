"""Stalls of the whole machine, during which no program responds in time."""

import threading
import time

_NAP = 0.005
"""Seconds, short compared with the stalls that matter and long enough to cost nothing."""


class StallWatch:
    """A thread that sleeps repeatedly and measures by how much it oversleeps, as every thread then would."""

    def __init__(self) -> None:
        self._longest = 0.0
        threading.Thread(target=self._watch, name="stall-watch", daemon=True).start()

    def longest(self) -> float:
        """Return the longest stall since the previous call, in seconds."""
        longest, self._longest = self._longest, 0.0
        return longest

    def _watch(self) -> None:
        while True:
            start = time.monotonic()
            time.sleep(_NAP)
            self._longest = max(self._longest, time.monotonic() - start - _NAP)
