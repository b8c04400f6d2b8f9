"""State for each snake of the games in progress.

It is dropped when the game ends or pauses for too long, or when there are too many games.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from battlesnake_search.board import Turn

_MAX_SNAKES = 1024

_State = TypeVar("_State")


class PerSnake(Generic[_State]):
    """One state for each snake of each game.

    `create` makes the state of a snake on its first turn. `now` reads a monotonic clock, and `longest_pause`
    is in its unit.
    """

    def __init__(
        self, create: Callable[[Turn], _State], now: Callable[[], float], longest_pause: float
    ) -> None:
        self._create = create
        self._now = now
        self._longest_pause = longest_pause
        self._states: OrderedDict[tuple[str, str], tuple[float, _State]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._states)

    def get_or_create(self, turn: Turn) -> _State:
        """Return the state of the turn's snake."""
        now, key = self._now(), _key(turn)
        _, state = self._states[key] if key in self._states else (now, self._create(turn))
        self._states[key] = now, state
        self._states.move_to_end(key)
        self.drop_old()
        return state

    def get(self, turn: Turn) -> _State | None:
        """Return the state of the turn's snake; None if it has none."""
        _, state = self._states.get(_key(turn), (None, None))
        return state

    def pop(self, turn: Turn) -> _State | None:
        """Drop the state of the turn's snake and return it; None if it has none."""
        _, state = self._states.pop(_key(turn), (None, None))
        return state

    def drop_old(self) -> None:
        """Drop the states of games that have paused for too long, and the oldest ones of too many."""
        oldest = self._now() - self._longest_pause
        while self._states and (len(self._states) > _MAX_SNAKES or self._last_seen() < oldest):
            self._states.popitem(last=False)

    def _last_seen(self) -> float:
        """Return when the snake that was seen longest ago was seen."""
        last_seen, _ = next(iter(self._states.values()))
        return last_seen


def _key(turn: Turn) -> tuple[str, str]:
    return turn.game.id, turn.you.id
