"""What moves took on top of their searches, over several kinds of connections, compared with the first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.stats import bootstrap

from battlesnake_search.common.estimation import CONFIDENCE, Estimate

LIMIT = 0.3
"""Milliseconds that a move may take longer than over plaintext, in the median."""

COLUMNS = ("", "connection", "p50 ms", "p99 ms", "p50 above plaintext", "95 % interval", "at most")

_RESAMPLES = 1000

_Times: TypeAlias = "npt.NDArray[np.float64]"


@dataclass(frozen=True)
class Comparison:
    """Milliseconds on top of searches by the kind of connection, that over plaintext first."""

    times: Mapping[str, Sequence[float]]

    def rows(self) -> Iterator[list[str]]:
        """Yield the cells of each kind's row."""
        plaintext, *_ = self.times
        for name, times in self.times.items():
            cells = [name, *(f"{np.percentile(times, percent):.2f}" for percent in (50, 99))]
            yield cells if name == plaintext else [*cells, *self._compared(name)]

    @property
    def is_well(self) -> bool:
        """Whether no kind exceeds the limit."""
        _, *others = self.times
        return all(self.above(name).value <= LIMIT for name in others)

    def above(self, name: str) -> Estimate:
        """Return by how much the median of a kind exceeds that of plaintext."""
        plaintext, *_ = self.times.values()
        pair = (np.array(plaintext), np.array(self.times[name]))
        found = bootstrap(
            pair, _above, n_resamples=_RESAMPLES, confidence_level=CONFIDENCE, method="percentile", rng=1
        ).confidence_interval
        return Estimate(float(_above(*pair)), float(found.low), float(found.high))

    def _compared(self, name: str) -> list[str]:
        above = self.above(name)
        return [f"{above.value:+.3f}", f"{above.low:+.3f} to {above.high:+.3f}", f"{LIMIT:+.1f}"]


def _above(plaintext: _Times, others: _Times, axis: int = -1) -> Any:
    """Return the difference of medians along an axis, as the bootstrap asks for it."""
    return np.median(others, axis=axis) - np.median(plaintext, axis=axis)
