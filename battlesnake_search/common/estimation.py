"""Estimates with confidence intervals, rounding and expected delays."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import inf, isfinite


def fixed(value: float, digits: int = 0) -> str:
    """Return a finite number with this many digits after the point. A half is rounded away from 0.

    Browsers round in this way. Python's format rounds a half to the even digit.
    """
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):zf}"


def percent(share: float, digits: int = 0) -> str:
    """Return a share in per cent, rounded by `fixed`."""
    return f"{fixed(share * 100, digits)} %"


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
        """Return, in words, an estimate with an infinite end. `text_of` formats finite numbers."""
        if not isfinite(self.value) and self.low <= 0 <= self.high:
            # "More than -500" would say nothing.
            return "unknown: too few results"
        if isfinite(self.low):
            bound, missing = f"more than {text_of(self.low)}", "no upper bound"
        elif isfinite(self.high):
            bound, missing = f"less than {text_of(self.high)}", "no lower bound"
        else:
            return f"{text_of(self.value)} (no bounds yet)"
        return f"{text_of(self.value)} ({bound})" if isfinite(self.value) else f"{bound} ({missing})"


_FALL = 0.05
"""The share of the difference to a lower measurement by which an expected delay falls. It is small, because a
late answer costs a move."""


def expected_delay(delay: float, measured: float) -> float:
    """Return the delay to expect after one more measurement. It rises immediately and falls slowly."""
    return max(measured, delay + (measured - delay) * _FALL)
