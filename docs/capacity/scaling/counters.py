"""Counters that are read again and again, and their rates."""

from collections import deque
from collections.abc import Mapping
from typing import Generic, TypeVar

Key = TypeVar("Key")


class Counters(Generic[Key]):
    """The last readings of counters, over a window of seconds."""

    def __init__(self, window: float) -> None:
        self._window = window
        self._readings: dict[Key, deque[tuple[float, float]]] = {}

    def read(self, now: float, values: Mapping[Key, float]) -> None:
        """Take the values of all counters that there are now."""
        kept = {key: self._readings.get(key, deque()) for key in values}
        for key, value in values.items():
            kept[key].append((now, value))
            while kept[key][0][0] < now - self._window - 1e-6:
                kept[key].popleft()
        self._readings = kept

    def rates(self) -> dict[Key, float]:
        """Return the increase a second of each counter that has been read twice."""
        return {
            key: (readings[-1][1] - readings[0][1]) / (readings[-1][0] - readings[0][0])
            for key, readings in self._readings.items()
            if len(readings) > 1
        }
