"""How long the machine itself stood still: no program on it answers in time then."""

import threading
import time

_NAP = 0.005
"""Seconds; short beside the stalls that matter, long enough to cost nothing."""


class StallWatch:
    """A thread that naps and notes by how much it overslept: so long every thread had to wait."""

    def __init__(self) -> None:
        self._longest = 0.0
        threading.Thread(target=self._watch, name="stall-watch", daemon=True).start()

    def longest(self) -> float:
        """The longest stall since the last call, in seconds."""
        longest, self._longest = self._longest, 0.0
        return longest

    def _watch(self) -> None:
        while True:
            start = time.monotonic()
            time.sleep(_NAP)
            self._longest = max(self._longest, time.monotonic() - start - _NAP)
