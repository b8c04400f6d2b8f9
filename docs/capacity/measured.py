"""The load run, docs/load.json, and the depth of a search by its share of a core."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

HERE = Path(__file__).parent
LOAD = HERE.parent / "load.json"

SEARCH, PAUSE = 0.415, 0.045
"""Seconds of a half-second move, for an engine some 40 ms away: the search, and the pause before the next."""

MOVE = SEARCH + PAUSE
"""Seconds from one move of a game to the next."""

LEAST_SHARE = 0.005
"""Core seconds. A searcher refuses a search whose share would be less, and the move is a reflex."""

Round = Mapping[str, Any]
"""The figures of one round by name."""


@dataclass(frozen=True)
class Run:
    """A load run: where it was measured, what played, and the figures of its rounds."""

    machine: str
    strategy: str
    rounds: Sequence[Round]


def read_run(file: Path = LOAD) -> Run:
    """Return the load run of a file."""
    read = json.loads(file.read_text())
    return Run(read["machine"], read["strategy"], read["rounds"])


class Depths:
    """The depth of a search by its core seconds, interpolated over the logarithm of the time.

    Outside the measured range the depth stays that of its ends. Without a search, it is 0.
    """

    def __init__(self, rounds: Sequence[Round], kind: str = "duel") -> None:
        points = sorted((core_seconds(each), each[f"depth {kind}"]) for each in rounds)
        self._times = np.log2([time for time, _ in points])
        self._depths = np.array([depth for _, depth in points])

    def of(self, shares: ArrayLike) -> NDArray[np.float64]:
        """Return the depths of searches with so many core seconds."""
        times = np.asarray(shares, dtype=np.float64)
        depths = np.interp(np.log2(np.maximum(times, 1e-9)), self._times, self._depths)
        return np.where(times < LEAST_SHARE, 0.0, depths)


def core_seconds(measured: Round) -> float:
    """Return the searcher's core seconds of a move."""
    return float(measured["searcher cores"] / measured["moves/s"])


def pace(measured: Round) -> float:
    """Return a game's moves a second."""
    return float(measured["moves/s"] / measured["games a core"])


def cores_for_a_game(measured: Round) -> tuple[float, float]:
    """Return the searcher's and the gateway's cores for one game at this load of the searcher."""
    return 1 / measured["games a core"], pace(measured) * measured["gateway ms a move"] / 1000
