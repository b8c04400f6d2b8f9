"""The recorded games as values for the report, and their series.

A series has the games that an arm played with the same setup and the same code. A change of either begins a
new series.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

import msgspec

from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from battlesnake_search.record.outcome import Result, ShadowRecord, StrategyRecord
from console.experiments.merging import games_of
from console.store.readable import readable
from console.store.records import RECORDED
from console.store.store import Store

SCORES: Mapping[Result, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""The score of each result."""


HELD = timedelta(minutes=30)
"""A game without its end holds back the games that began after it for this time, because its end may never
arrive."""


LEAST_SEARCHED = 0.8
"""The share of an arm's moves that have to be searched. With fewer, reflexes may decide its games."""


class Game(msgspec.Struct, frozen=True):
    """A game of one of our snakes, merged from all gateways. `Outcome` describes the fields."""

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
    began_at: datetime | None
    moves_searched: int | None

    @property
    def place_in_time(self) -> datetime:
        """The time by which games are ordered: their beginning.

        The ends of games would favour results that come quickly. A game that took longer than HELD comes
        later by the excess. An older game without a known beginning has the time of its end.
        """
        return max(self.began_at or self.ended_at, self.ended_at - HELD)

    @property
    def is_test(self) -> bool:
        """Whether the id says that the game only checked or measured the snake."""
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
    def is_complete(self) -> bool:
        """Whether the arm was drawn, and the gateways saw the game from its beginning to its end."""
        return self.drawn and not self.is_test and self.ended and self._is_seen()

    @property
    def is_unsearched(self) -> bool:
        """Whether the game is complete, but more than half of its moves were reflexes.

        Its result says nothing about the arm, for example if the arm's searcher did not run.
        """
        return self.is_complete and not self._is_searched()

    @property
    def counts(self) -> bool:
        """Whether the game counts in the experiment."""
        return self.is_complete and self._is_searched()

    @property
    def known_searches(self) -> int | None:
        """The number of moves that a search found; None if it is unknown, as in older rows with searches."""
        return 0 if self.moves_searched is None and self.mean_depth is None else self.moves_searched

    def _is_searched(self) -> bool:
        return self.known_searches is None or self.known_searches >= self.moves / 2

    def _is_seen(self) -> bool:
        return self.seen_from == 0 and self.moves >= max(1.0, self._asked() / 2)

    def _asked(self) -> int:
        """Return the number of moves that the engine requested, as far as the gateways know."""
        if self.last_turn is not None:
            return self.last_turn + 1
        # In older rows, only a winner certainly played until the end.
        return self.turns if self.result == "win" else 0


async def read_games(store: Store) -> list[Game]:
    """Return every game of a snake, by experiment and time of its end. Raises as `Store.outcomes`."""
    rows = games_of(await store.outcomes())
    return list(readable("outcomes", rows, partial(msgspec.convert, type=Game)))


class Running(msgspec.Struct, frozen=True):
    """A game without an end, and the experiments of our snakes in it."""

    game_id: str
    began_at: datetime
    experiments: frozenset[str]


async def read_running(store: Store, now: datetime) -> list[Running]:
    """Return the recorded games without an end that began within HELD before now."""
    return [
        Running(
            header.id, header.seen_at, frozenset(snake.experiment for snake in header.snakes if snake.ours)
        )
        for header in await store.running(now - HELD)
        if header.source == RECORDED
    ]


@dataclass(slots=True)
class Series:
    """The games of an arm with the same setup in the routes, and the same code and weights of each strategy.

    A game uses only some of the strategies that the conditions of its arm name. So games belong together if
    their common strategies are the same. The setup is None for games without a recorded setup.
    """

    setup: str | None
    games: list[Game] = field(default_factory=list)
    searched: dict[str, StrategyRecord] = field(default_factory=dict)
    """The strategies that found moves, by name."""

    def admits(self, game: Game) -> bool:
        """Return whether the game belongs to this series, by its setup and its strategies."""
        return self.setup == game.setup and all(
            self.searched.get(name, strategy).digest == strategy.digest
            for name, strategy in (game.searched or {}).items()
        )

    @property
    def searched_share(self) -> float | None:
        """The share of the moves of complete games that a search found; None if it is unknown."""
        known = [
            (game.known_searches, game.moves)
            for game in self.games
            if game.is_complete and game.known_searches is not None
        ]
        moves = sum(of_game for _, of_game in known)
        return sum(searched for searched, _ in known) / moves if moves else None

    @property
    def is_searched(self) -> bool:
        """Whether enough moves were searched for a judgement of the arm, as far as it is known."""
        share = self.searched_share
        return share is None or share >= LEAST_SEARCHED

    def add(self, game: Game) -> None:
        """Add a game."""
        self.games.append(game)
        self.searched |= game.searched or {}


def split(games: Iterable[Game]) -> list[Series]:
    """Return the series of an arm's games, in the order of their last games. Games are in order.

    An arm that is changed back continues its former series.
    """
    found: list[Series] = []
    for game in games:
        index = next((n for n in reversed(range(len(found))) if found[n].admits(game)), None)
        series = Series(game.setup) if index is None else found.pop(index)
        series.add(game)
        found.append(series)
    return found
