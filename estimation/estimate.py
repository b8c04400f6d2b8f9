"""A value estimated from a sample, with its confidence interval."""

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
        return f"{self.value:+z.2f} ({self.low:+z.2f} to {self.high:+z.2f})"
