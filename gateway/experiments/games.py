"""The recorded games, as values that the report reads."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from gateway.game.values import Result, ShadowRecord, StrategyRecord
from gateway.store.reader import read

SCORES: Mapping[Result, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""The score of each result."""


class Game(msgspec.Struct, frozen=True):
    """A game of one of our snakes. The fields are those of `Outcome`."""

    experiment: str
    arm: str
    strategy: str
    drawn: bool
    game_id: str
    result: Result | None
    place: int | None
    opponents: list[str]
    shadows: dict[str, ShadowRecord]
    moves: int
    timeouts: int | None
    mean_depth: float | None
    mean_latency_ms: float | None
    ended_at: datetime
    control: str | None
    shares: dict[str, float] | None
    setup: str | None
    searched: dict[str, StrategyRecord] | None

    @property
    def is_test(self) -> bool:
        """Whether the game only checked or measured the snake, by its id."""
        return self.game_id.startswith(TEST_GAME_PREFIX)


_ORDER = ("experiment", "ended_at", "game_id", "snake_id")


async def read_games(url: str) -> list[Game]:
    """Return every game in the database at this SQLAlchemy URL, by experiment and time of its end."""
    return msgspec.convert(await read(url, Game.__struct_fields__, _ORDER), list[Game])
