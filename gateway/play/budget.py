"""The time budget of a search: the engine's timeout minus the delays learned from measured latencies.

All times are milliseconds. Two delays are learned for each snake of each game:

- overhead: what the engine measures in addition to our own time, that is, network and queues;
- lag: how long after the end of its time a search's answer is ready to be sent.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from battlesnake_search.board import Turn
from gateway.game.per_snake import PerSnake

FIRST_OVERHEAD = 30.0
FIRST_LAG = 5.0
_MAX_FIRST_OVERHEAD = 0.25
_MAX_FIRST_LAG = 0.125
"""The first guesses are at most these shares of the timeout."""

_FALL = 0.05
"""Share of the difference by which a delay falls in a turn: small, as late answers cost more than depth."""

_LATE_STEP = 0.1
"""Share of the timeout that a late answer adds to the overhead."""

_MIN_SEARCH = 0.25
"""Share of the timeout that a search always gets: with even longer delays no answer would be in time."""

_RESERVE = 20.0
_RESERVE_SHARE = 1 / 25
_MAX_RESERVE_SHARE = 1 / 5
"""The reserve is this fixed time plus this share of the timeout, up to this share of the timeout."""

_LONGEST_PAUSE = 600_000.0

LONGEST_TIMEOUT = 10_000.0
"""The longest timeout that is used, by default. A stranger may state any."""


@dataclass(frozen=True, slots=True)
class Delays:
    """The delays learned so far for a snake of a game."""

    overhead: float
    lag: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """The times, counted from a request's arrival, at which the search ends and the answer is due."""

    search: float
    answer: float


def first_delays(timeout: float) -> Delays:
    """Return a cautious guess for a game about which the engine has reported nothing yet."""
    return Delays(
        min(FIRST_OVERHEAD, timeout * _MAX_FIRST_OVERHEAD), min(FIRST_LAG, timeout * _MAX_FIRST_LAG)
    )


def allow(timeout: float, delays: Delays) -> Allowance:
    """Divide the timeout (above 0). Always 0 < search <= answer < timeout.

    Half of the reserve covers an answer that lags more than all before it, the other half a network that is
    slower than ever before. The reserve is larger than the delays of a busy machine in whole games of the
    official engine: a late answer costs more than the depth that a twentieth of the time would gain.
    """
    reserve = min(_RESERVE + timeout * _RESERVE_SHARE, timeout * _MAX_RESERVE_SHARE)
    answer = timeout - delays.overhead - reserve / 2
    search = max(answer - delays.lag - reserve / 2, timeout * _MIN_SEARCH)
    return Allowance(search, max(answer, search))


def learn(delay: float, measured: float) -> float:
    """Return the delay after one more measurement: it rises at once, falls slowly, and is at least 0."""
    return max(measured, delay + (measured - delay) * _FALL, 0.0)


def after_late(overhead: float, timeout: float) -> float:
    """Return the overhead after the engine reported a late answer; at most the timeout."""
    return min(overhead + timeout * _LATE_STEP, timeout)


@dataclass(slots=True)
class _Snake:
    delays: Delays
    spent: dict[int, float] = field(default_factory=dict)
    """The time spent on the turn that was answered last, by its number."""


class Budgets:
    """The delays of all snakes in games in progress.

    The delays of a snake are dropped when its game ends or pauses for too long, or when there are too many
    games. `now` reads a monotonic clock in milliseconds. Longer timeouts than `longest` are shortened to it.
    """

    def __init__(self, now: Callable[[], float], longest: float = LONGEST_TIMEOUT) -> None:
        self._longest = longest
        self._snakes = PerSnake(lambda turn: _Snake(first_delays(turn.timeout)), now, _LONGEST_PAUSE)

    def __len__(self) -> int:
        return len(self._snakes)

    def allow(self, turn: Turn) -> Allowance:
        """Learn from the latency that the engine reports in this turn, and divide its timeout."""
        snake = self._snakes.get_or_create(turn)
        snake.delays = _after_report(snake, turn)
        return allow(min(turn.timeout, self._longest), snake.delays)

    def record(self, turn: Turn, allowance: Allowance, spent: float, searched: bool) -> None:
        """Record the time between the request's arrival and the answer of this turn.

        `searched`: whether a searcher gave the move; otherwise its lag is unknown.
        """
        snake = self._snakes.get_or_create(turn)
        snake.spent = {turn.turn: spent}
        # A search that ended before its time has no lag to measure.
        if searched and spent >= allowance.search:
            lag = min(learn(snake.delays.lag, spent - allowance.search), turn.timeout)
            snake.delays = Delays(snake.delays.overhead, lag)

    def forget(self, turn: Turn) -> None:
        """Drop the delays of a snake whose game is over."""
        self._snakes.pop(turn)


def _after_report(snake: _Snake, turn: Turn) -> Delays:
    """Return the delays after the engine's report about the previous turn's answer."""
    overhead, latency, timeout = snake.delays.overhead, turn.latency, turn.timeout
    spent = snake.spent.get(turn.turn - 1)
    if latency and spent is not None:
        overhead = learn(overhead, min(latency, timeout) - spent)
    if latency >= timeout:
        overhead = after_late(overhead, timeout)
    return Delays(min(overhead, timeout), snake.delays.lag)
