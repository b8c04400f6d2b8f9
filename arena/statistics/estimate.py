"""A value known from a sample, and how well it is known."""

from dataclasses import dataclass
from math import inf, isfinite

CONFIDENCE = 0.95
"""Of every interval."""


@dataclass(frozen=True)
class Estimate:
    """A value and the ends of its 95 % interval. All three may be infinite."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the length of the interval, infinite if an end is."""
        return (self.high - self.low) / 2 if isfinite(self.low) and isfinite(self.high) else inf

    def __str__(self) -> str:
        if isfinite(self.margin):
            return f"{self.value:+z.2f} ± {self.margin:.2f}"
        return f"{self.value:+z.2f} ({self.low:+z.2f} to {self.high:+z.2f})"


def surely_alike(blocks: int) -> float:
    """The share of blocks that are like those seen, at least, when all those seen were alike.

    With a smaller share s, seeing as many alike would have a chance s ** blocks of less than 5 %: the "rule
    of three", exactly. (Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", 1983.)
    """
    return (1 - CONFIDENCE) ** (1 / blocks) if blocks else 0.0


def unvaried(value: float, blocks: int) -> Estimate:
    """The mean of blocks that were all worth `value`: the unlike ones, unseen, may be worth 0 or 1."""
    alike = surely_alike(blocks)
    return Estimate(value, value * alike, 1 - (1 - value) * alike)


def sign_chance(blocks: int) -> float:
    """The chance that even entrants' blocks all favour the one that they did: at most a coin's, each time."""
    return 0.5**blocks
