"""How much time a search may take: the engine's timeout, less what its measured latencies teach.

All times are milliseconds. Two delays are learned for each snake of each game:

- overhead: what the engine measures on top of our own time, that is network and queues;
- lag: how long after the end of its time a search's answer is ready to be sent.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gateway.bodies import Turn
from gateway.moves.per_snake import Playing

FIRST_OVERHEAD = 30.0
FIRST_LAG = 5.0
_FIRST_SHARE = 0.25
"""No first guess takes more than this share of the timeout."""

_FALL = 0.05
"""Share of the way down that a delay goes in a turn: slow, since one late answer costs more than depth."""

_LATE_STEP = 0.1
"""Share of the timeout that a late answer adds to the overhead."""

_LEAST_SEARCH = 0.25
"""Share of the timeout that a search always gets: with delays beyond that nothing would be in time."""

_LONGEST_PAUSE = 600_000.0


@dataclass(frozen=True, slots=True)
class Delays:
    """What a snake of a game has taught so far."""

    overhead: float
    lag: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """Counted from a request's arrival: when the search ends, and when the answer leaves at the latest."""

    search: float
    answer: float


def first_delays(timeout: float) -> Delays:
    """A careful guess, before the engine has reported anything."""
    return Delays(min(FIRST_OVERHEAD, timeout * _FIRST_SHARE), min(FIRST_LAG, timeout * _FIRST_SHARE / 2))


def allow(timeout: float, delays: Delays) -> Allowance:
    """Divide the timeout (above 0). Always 0 < search <= answer < timeout.

    Half of a reserve guards against an answer that lags more than ever before, half against a network
    that is slower than ever before. It is wider than what a busy machine took in whole games of the official
    engine: one late answer costs more than the depth that a twentieth of the time would bring.
    """
    reserve = min(20 + timeout / 25, timeout / 5)
    answer = timeout - delays.overhead - reserve / 2
    search = max(answer - delays.lag - reserve / 2, timeout * _LEAST_SEARCH)
    return Allowance(search, max(answer, search))


def learn(delay: float, seen: float) -> float:
    """A delay after one more was seen: up at once, down slowly, never below 0."""
    return max(seen, delay + (seen - delay) * _FALL, 0.0)


def after_late(overhead: float, timeout: float) -> float:
    """The overhead after the engine found an answer late; at most the timeout."""
    return min(overhead + timeout * _LATE_STEP, timeout)


@dataclass(slots=True)
class _Snake:
    delays: Delays
    turn: int = -1
    spent: float = 0.0


class Budgets:
    """Delays of the snakes now playing, forgotten when their games end, pause long or are too many.

    `now` reads a clock in milliseconds that never goes back.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._snakes = Playing(lambda turn: _Snake(first_delays(turn.timeout)), now, _LONGEST_PAUSE)

    def __len__(self) -> int:
        return len(self._snakes)

    def allow(self, turn: Turn) -> Allowance:
        """Learn from the latency that the engine reports in this turn, and divide its timeout."""
        snake = self._snakes.recall(turn)
        snake.delays = _after_report(snake, turn)
        return allow(turn.timeout, snake.delays)

    def record(self, turn: Turn, allowance: Allowance, spent: float, searched: bool) -> None:
        """Remember how long answering this turn took, from the request's arrival on.

        `searched`: whether a searcher gave the move; only then its lag is known.
        """
        snake = self._snakes.recall(turn)
        snake.turn, snake.spent = turn.turn, spent
        # A search that stopped before its time says nothing about what comes after it.
        if searched and spent >= allowance.search:
            lag = min(learn(snake.delays.lag, spent - allowance.search), turn.timeout)
            snake.delays = Delays(snake.delays.overhead, lag)

    def forget(self, turn: Turn) -> None:
        """The snake's game is over."""
        self._snakes.forget(turn)


def _after_report(snake: _Snake, turn: Turn) -> Delays:
    """Delays after the engine's report on the answer before this turn."""
    overhead, latency, timeout = snake.delays.overhead, turn.latency, turn.timeout
    answered = snake.turn == turn.turn - 1
    if latency and answered:
        overhead = learn(overhead, min(latency, timeout) - snake.spent)
    if latency >= timeout:
        overhead = after_late(overhead, timeout)
    return Delays(min(overhead, timeout), snake.delays.lag)
