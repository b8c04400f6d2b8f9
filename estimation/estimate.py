"""A value estimated from a sample, with its confidence interval."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite

CONFIDENCE = 0.95
"""The confidence level of every interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the ends of its 95 % confidence interval. All three may be infinite."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the length of the interval; infinite if an end is."""
        return (self.high - self.low) / 2 if isfinite(self.low) and isfinite(self.high) else inf

    def __str__(self) -> str:
        if isfinite(self.margin):
            return f"{self.value:+z.2f} ± {self.margin:.2f}"
        return self.without_margin(lambda number: f"{number:+z.2f}")

    def without_margin(self, text_of: Callable[[float], str]) -> str:
        """Return an estimate with an infinite end in words; `text_of` formats finite numbers."""
        if isfinite(self.low):
            bound, missing = f"more than {text_of(self.low)}", "no upper bound"
        elif isfinite(self.high):
            bound, missing = f"less than {text_of(self.high)}", "no lower bound"
        else:
            bound, missing = "no bounds yet", "unknown"
        return f"{text_of(self.value)} ({bound})" if isfinite(self.value) else f"{bound} ({missing})"
