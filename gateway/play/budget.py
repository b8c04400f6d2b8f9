"""The time budget of a search: the engine's timeout minus the delays learned from measured latencies.

All times are milliseconds. Two delays are learned for each snake of each game:

- overhead: the engine's latency minus our own time, spent in network and queues;
- lag: the time from the search deadline until the search's answer is ready.
"""

from dataclasses import dataclass

from battlesnake_search.board import Turn
from battlesnake_search.common.estimation import expected_delay

FIRST_OVERHEAD = 30.0
FIRST_LAG = 5.0
_MAX_FIRST_OVERHEAD = 0.25
_MAX_FIRST_LAG = 0.125
"""The first guesses of overhead and lag, in milliseconds, and the most of each as a share of the timeout."""

_LATE_STEP = 0.1
"""Share of the timeout that a late answer adds to the overhead."""

_MIN_SEARCH = 0.25
"""The least share of the timeout for a search: with even longer delays no answer would be in time."""

_RESERVE = 20.0
_RESERVE_SHARE = 1 / 25
_MAX_RESERVE_SHARE = 1 / 5
"""The reserve is these milliseconds plus the first share of the timeout, at most the second share of it."""

LONGEST_TIMEOUT = 10_000.0
"""The default of the longest timeout, in milliseconds. Longer timeouts of games are shortened to it."""


@dataclass(frozen=True, slots=True)
class Delays:
    """The delays learned so far for a snake of a game."""

    overhead: float
    lag: float


@dataclass(frozen=True, slots=True)
class Split:
    """The division of a timeout: the ends of the search and of the answer, from the request's arrival."""

    search: float
    answer: float


def first_delays(timeout: float) -> Delays:
    """Return a cautious guess for a game without a report of the engine."""
    return Delays(
        min(FIRST_OVERHEAD, timeout * _MAX_FIRST_OVERHEAD), min(FIRST_LAG, timeout * _MAX_FIRST_LAG)
    )


def divide(timeout: float, delays: Delays) -> Split:
    """Divide the timeout (above 0). Always 0 < search <= answer < timeout.

    Half of the reserve is for an answer with a longer lag than all earlier ones, and half for a slower
    network. The reserve is larger than the delays measured on a busy machine. A late answer costs more than
    the depth that a twentieth of the time would add.
    """
    reserve = min(_RESERVE + timeout * _RESERVE_SHARE, timeout * _MAX_RESERVE_SHARE)
    answer = timeout - delays.overhead - reserve / 2
    search = max(answer - delays.lag - reserve / 2, timeout * _MIN_SEARCH)
    return Split(search, max(answer, search))


def after_late(overhead: float, timeout: float) -> float:
    """Return the overhead after the engine reported a late answer; at most the timeout."""
    return min(overhead + timeout * _LATE_STEP, timeout)


class Budget:
    """The delays learned for one snake of one game. `timeout` is in milliseconds."""

    def __init__(self, timeout: float) -> None:
        self.delays = first_delays(timeout)
        self._spent: dict[int, float] = {}
        """The time spent on the last answered turn, by its number."""

    def divide(self, turn: Turn, late: bool, longest: float = LONGEST_TIMEOUT) -> Split:
        """Learn from the engine's report about the previous answer, and divide the timeout.

        `late`: whether the previous answer came too late to be played. A timeout above `longest` milliseconds
        is shortened to it.
        """
        overhead, timeout = self.delays.overhead, turn.timeout
        latency, spent = turn.latency, self._spent.get(turn.turn - 1)
        if latency and spent is not None:
            overhead = max(expected_delay(overhead, min(latency, timeout) - spent), 0.0)
        if late:
            overhead = after_late(overhead, timeout)
        self.delays = Delays(min(overhead, timeout), self.delays.lag)
        return divide(min(timeout, longest), self.delays)

    def record(self, turn: Turn, split: Split, spent: float, searched: bool) -> None:
        """Record the time between the request's arrival and the answer of this turn.

        `searched` is whether a searcher found the move. Otherwise the lag is unknown.
        """
        self._spent = {turn.turn: spent}
        # A search that ended early has no lag.
        if searched and spent >= split.search:
            lag = min(expected_delay(self.delays.lag, spent - split.search), turn.timeout)
            self.delays = Delays(self.delays.overhead, lag)
