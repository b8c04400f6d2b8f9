"""Whether what a process holds grows: the slope of its samples, and the most that it may be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from scipy.stats import theilslopes

from battlesnake_search.common.estimation import CONFIDENCE, Estimate

WARM_UP = 1 / 3
"""The share of the time, at its start, in which a process fills what it keeps. It counts for no slope."""

MOST_PER_GAME: Mapping[str, float] = MappingProxyType(
    {"MB": 0.01, "files": 0.05, "threads": 0.05, "tasks": 0.05}
)
"""What may be left of a game, by measure. A leak leaves more: the record of a game has 40 kB, and a
connection, a thread or a task that is forgotten is a whole one in each game or in one of a few."""

_BLOCKS = 20
"""Neighbouring samples resemble one another, so the slope is that of the medians of this many stretches."""


@dataclass(frozen=True, slots=True)
class Trend:
    """The samples of a measure of a process. `slope` and `most` are per hour."""

    process: str
    measure: str
    values: Sequence[float]
    slope: Estimate
    most: float

    @property
    def result(self) -> str:
        """Whether it is certain that the measure does not grow, or that it does."""
        if self.slope.high <= self.most:
            return "flat"
        return "growing" if self.slope.low > self.most else "unclear"

    def row(self) -> list[str]:
        """Return the cells of the table."""
        first, last = self.values[0], self.values[-1]
        figures = (first, *np.quantile(self.values, (0.25, 0.5, 0.75)), last)
        digits = 1 if self.measure == "MB" else 0
        interval = f"{self.slope.low:+z.1f} to {self.slope.high:+z.1f}"
        cells = (*(f"{figure:.{digits}f}" for figure in figures), f"{self.slope.value:+z.1f}", interval)
        return [self.process, self.measure, *cells, f"{self.most:.1f}", self.result]


COLUMNS = (
    *("process", "measure", "first", "quartile", "median", "quartile", "last"),
    *("slope an hour", "95 % interval", "at most", "result"),
)


def trend(
    process: str, measure: str, times: Sequence[float], values: Sequence[float], games_per_hour: float
) -> Trend:
    """Return the trend of samples; `times` are seconds since the start, in order."""
    most = MOST_PER_GAME[measure] * games_per_hour
    return Trend(process, measure, values, _slope(np.array(times) / 3600, np.array(values)), most)


def _slope(hours: "npt.NDArray[np.float64]", values: "npt.NDArray[np.float64]") -> Estimate:
    """Return the slope after the warm-up: the Theil-Sen estimator, which ignores single outliers."""
    counts = hours >= hours[0] + WARM_UP * (hours[-1] - hours[0])
    blocks = np.array_split(np.arange(counts.sum()), min(_BLOCKS, counts.sum()))
    x, y = hours[counts], values[counts]
    found = theilslopes(
        [np.median(y[block]) for block in blocks], [np.mean(x[block]) for block in blocks], CONFIDENCE
    )
    return Estimate(float(found.slope), float(found.low_slope), float(found.high_slope))
