"""Games in progress, and how they ended."""

import time
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge

from battlesnake_search.board import Turn
from gateway.game.per_snake import PerSnake
from gateway.game.values import Outcome

_LONGEST_PAUSE = 30.0
"""Seconds after its last request at which a game counts as over. Some engines send no /end."""


class GameMetrics:
    """The metrics of games, in each of which every snake of ours counts."""

    def __init__(self, registry: CollectorRegistry, now: Callable[[], float] = time.monotonic) -> None:
        self._playing: PerSnake[None] = PerSnake(lambda turn: None, now, _LONGEST_PAUSE)
        number = Gauge("gateway_games_playing", "Games in progress.", registry=registry)
        number.set_function(self._count_playing)
        self._ended = Counter(
            "gateway_games",
            "Games that ended, by their result.",
            ["snake", "arm", "result"],
            registry=registry,
        )

    def go_on(self, turn: Turn) -> None:
        """Record a turn of a game."""
        self._playing.get_or_create(turn)

    def end(self, turn: Turn, path: str, outcome: Outcome) -> None:
        """Count a game that has ended. `path` is that of its snake."""
        self._playing.pop(turn)
        self._ended.labels(path, outcome.arm, outcome.result or "unknown").inc()

    def _count_playing(self) -> int:
        self._playing.drop_old()
        return len(self._playing)
