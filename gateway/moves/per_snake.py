"""What is kept of the snakes now playing: dropped when their games end, pause long or are too many."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from gateway.bodies import Turn

_MOST_SNAKES = 1024

_T = TypeVar("_T")


class Playing(Generic[_T]):
    """One thing for each snake of each game.

    `make` gives it for a snake that is seen first; `now` reads a clock that never goes back, and
    `longest_pause` is in its unit.
    """

    def __init__(self, make: Callable[[Turn], _T], now: Callable[[], float], longest_pause: float) -> None:
        self._make = make
        self._now = now
        self._longest_pause = longest_pause
        self._kept: OrderedDict[tuple[str, str], tuple[float, _T]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def recall(self, turn: Turn) -> _T:
        """What is kept of the snake that this turn is for."""
        now, key = self._now(), _key(turn)
        _, thing = self._kept[key] if key in self._kept else (now, self._make(turn))
        self._kept[key] = now, thing
        self._kept.move_to_end(key)
        self._drop_old(now)
        return thing

    def known(self, turn: Turn) -> _T | None:
        """What is kept of the snake that this turn is for, if it is."""
        _, thing = self._kept.get(_key(turn), (0.0, None))
        return thing

    def forget(self, turn: Turn) -> _T | None:
        """The snake's game is over. Gives what was kept."""
        _, thing = self._kept.pop(_key(turn), (0.0, None))
        return thing

    def _drop_old(self, now: float) -> None:
        last_seen, _ = next(iter(self._kept.values()))
        while len(self._kept) > _MOST_SNAKES or now - last_seen > self._longest_pause:
            self._kept.popitem(last=False)
            last_seen, _ = next(iter(self._kept.values()))


def _key(turn: Turn) -> tuple[str, str]:
    return turn.game.id, turn.you.id
