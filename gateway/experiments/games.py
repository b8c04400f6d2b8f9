"""The recorded games, as values that the report reads."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from gateway.game.values import Result, ShadowRecord, StrategyRecord
from gateway.store import reader

SCORES: Mapping[Result, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""The score of each result."""


class Game(msgspec.Struct, frozen=True):
    """A game of one of our snakes, as all gateways together saw it. The fields are those of `Outcome`."""

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
    turns: int
    seen_from: int | None
    ended: bool
    last_turn: int | None

    @property
    def is_test(self) -> bool:
        """Whether the game only checked or measured the snake, by its id."""
        return self.game_id.startswith(TEST_GAME_PREFIX)

    @property
    def is_unfinished(self) -> bool:
        """Whether the arm was drawn, and no gateway saw the end."""
        return self.drawn and not self.is_test and not self.ended

    @property
    def is_unseen(self) -> bool:
        """Whether the arm was drawn and the game has ended, but the gateways saw too little of the game.

        They have to see the first turn, and to answer at least half of the moves.
        """
        return self.drawn and not self.is_test and self.ended and not self._is_seen()

    @property
    def counts(self) -> bool:
        """Whether the game counts in the experiment."""
        return self.drawn and not self.is_test and self.ended and self._is_seen()

    def _is_seen(self) -> bool:
        return self.seen_from == 0 and self.moves >= max(1.0, self._asked() / 2)

    def _asked(self) -> int:
        """Return the number of moves for which the engine asked, as far as the gateways know."""
        if self.last_turn is not None:
            return self.last_turn + 1
        # In older rows only a winner is known to have played until the end.
        return self.turns if self.result == "win" else 0


async def read_games(url: str) -> list[Game]:
    """Return every game in the database at this SQLAlchemy URL, by experiment and time of its end."""
    return msgspec.convert(await reader.read_games(url), list[Game])
