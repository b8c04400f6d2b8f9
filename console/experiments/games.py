"""The recorded games as values for the report, and their series.

Several gateways may each have seen a part of a game. Their outcomes are merged.

A series has the games that an arm played with the same setup and the same code. A change of either begins a
new series.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain
from math import fsum
from operator import attrgetter
from typing import Literal

import msgspec

from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from battlesnake_search.record.outcome import LEAST_SEARCHED, Outcome, Result, ShadowRecord, StrategyRecord
from console.experiments.statistics import MIN_GAMES
from console.store.records import RECORDED, Header
from console.store.store import Store

SCORES: Mapping[Result, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""The score of each result."""


HELD = timedelta(minutes=30)
"""A game without its end holds back the games that began after it for this time, because its end may never
arrive."""


SHADOW_MEANS = ("mean_depth", "mean_score", "played_mean_depth", "played_mean_score")
"""The fields of a shadow's record that are means over its positions."""


Kind = Literal["counts", "test", "not_drawn", "unfinished", "not_seen", "not_searched"]
"""Whether a game counts in its experiment, or the first reason why not.

test: the id says that the game only checked or measured the snake. not_drawn: the arm was not drawn at
random. unfinished: no gateway saw the end. not_seen: the gateways did not see the first turn, or answered
fewer than half of the moves. not_searched: more than half of the moves were reflexes or a stand-in's. Such
a result says nothing about the arm, for example if the arm's searcher did not run.
"""

_COMPLETE = ("counts", "not_searched")


class Game(Outcome, frozen=True):
    """A game of one of our snakes, merged from the outcomes of all gateways."""

    @property
    def place_in_time(self) -> datetime:
        """The time by which games are ordered: their beginning.

        The ends of games would favour results that come quickly. A game that took longer than HELD comes
        later by the excess. An older game without a known beginning has the time of its end.
        """
        return max(self.began_at or self.ended_at, self.ended_at - HELD)

    @property
    def kind(self) -> Kind:
        """Whether the game counts in the experiment, or why it does not."""
        return self._kind_if(self.drawn)

    @property
    def is_complete(self) -> bool:
        """Whether the arm was drawn, and the gateways saw the game from its beginning to its end."""
        return self.kind in _COMPLETE

    @property
    def shows_searching(self) -> bool:
        """Whether the game shows whether the arm is searched: it is complete, but for moves of a stand-in."""
        return self._kind_if(self.drawn or bool(self.moves_stand_in)) in _COMPLETE

    def _kind_if(self, is_drawn: bool) -> Kind:
        if self.game_id.startswith(TEST_GAME_PREFIX):
            return "test"
        if not is_drawn:
            return "not_drawn"
        if not self.ended:
            return "unfinished"
        if self.seen_from != 0 or self.moves < max(1.0, self._asked() / 2):
            return "not_seen"
        is_searched = self.own_searches is None or self.own_searches >= self.moves / 2
        return "counts" if is_searched else "not_searched"

    @property
    def own_searches(self) -> int | None:
        """The number of moves that searches of the arm's strategy found; None if it is unknown.

        It is unknown in older rows with searches.
        """
        if self.moves_searched is None:
            return 0 if self.mean_depth is None else None
        return self.moves_searched - (self.moves_stand_in or 0)

    def _asked(self) -> int:
        """Return the number of moves that the engine requested, as far as the gateways know."""
        if self.last_turn is not None:
            return self.last_turn + 1
        # In older rows, only a winner certainly played until the end.
        return self.turns if self.result == "win" else 0


async def read_games(store: Store) -> list[Game]:
    """Return all games of our snakes, ordered by experiment and end."""
    return games_of(await store.outcomes())


async def read_running(store: Store, now: datetime) -> list[Header]:
    """Return the recorded games without an end that began within HELD before now."""
    return [header for header in await store.running(now - HELD) if header.source == RECORDED]


class Sources(msgspec.Struct, frozen=True):
    """The number of moves by their source. `moves` is the sum of the four sources.

    A stand-in is the searcher's default strategy, which searches while the arm's is compiled.
    """

    moves: int
    full_search: int
    best_so_far: int
    """The moves of searches that had not ended."""
    reflex: int
    stand_in: int
    failed_calls: int
    """The moves for which a call of a searcher failed."""


def sources_of(games: Iterable[Game]) -> Sources:
    """Return the sources of the moves of the games that know them. Older rows do not."""
    known = [game for game in games if game.moves_searched is not None and game.moves_failed is not None]
    moves, searched = sum(game.moves for game in known), sum(game.moves_searched or 0 for game in known)
    best_so_far = sum(game.moves_best_so_far or 0 for game in known)
    stand_in = sum(game.moves_stand_in or 0 for game in known)
    failed = sum(game.moves_failed or 0 for game in known)
    return Sources(moves, searched - best_so_far - stand_in, best_so_far, moves - searched, stand_in, failed)


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
    def newest(self) -> list[Game]:
        """The newest games that show whether the arm is searched, as far as their searches are known."""
        shown = [game for game in self.games if game.shows_searching and game.own_searches is not None]
        return shown[-MIN_GAMES:]

    @property
    def searched_share(self) -> float | None:
        """The share of the moves of the newest games that the arm's searches found; None if it is unknown."""
        newest = self.newest
        moves = sum(game.moves for game in newest)
        return sum(game.own_searches or 0 for game in newest) / moves if moves else None

    @property
    def is_searched(self) -> bool:
        """Whether enough moves of the newest games were searched to judge the arm, as far as it is known."""
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


def games_of(outcomes: Iterable[Outcome]) -> list[Game]:
    """Return all games of our snakes, ordered by experiment and end.

    Outcomes of one game from several gateways are merged.
    """
    found: defaultdict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in sorted(outcomes, key=attrgetter("ended_at", "part")):
        found[outcome.game_id, outcome.snake_id].append(outcome)
    games = [Game(**msgspec.structs.asdict(merged(parts))) for parts in found.values()]
    return sorted(games, key=attrgetter("experiment", "ended_at", "game_id", "snake_id"))


def merged(parts: Sequence[Outcome]) -> Outcome:
    """Return the outcome of a snake's game from several gateways' views. Views are ordered by their ends.

    The result is from the view that has the most moves of the views that saw the end. Of several such views,
    it is from the last. The names are from the earliest view. Moves add up.
    """
    if len(parts) == 1:
        return parts[0]
    ends = [part for part in parts if part.ended] or parts
    last = max(reversed(ends), key=attrgetter("moves"))
    begun = [part for part in parts if part.seen_from is not None]
    first = min(begun, key=attrgetter("seen_from"), default=last)
    late = [part.timeouts for part in parts if part.timeouts is not None]
    played = [part.searched for part in parts if part.searched is not None]
    return msgspec.structs.replace(
        last,
        snake=first.snake,
        opponents=first.opponents,
        drawn=_is_drawn(parts),
        moves=sum(part.moves for part in parts),
        timeouts=sum(late) if late else None,
        mean_depth=mean_of(parts, "mean_depth", "moves"),
        mean_latency_ms=mean_of(parts, "mean_latency_ms", "moves"),
        seen_from=first.seen_from,
        last_turn=max((part.last_turn for part in parts if part.last_turn is not None), default=None),
        began_at=min((part.began_at for part in parts if part.began_at is not None), default=None),
        moves_searched=_moves_searched(parts),
        moves_best_so_far=_known_sum(parts, "moves_best_so_far"),
        moves_stand_in=_known_sum(parts, "moves_stand_in"),
        moves_failed=_known_sum(parts, "moves_failed"),
        searched={name: one[name] for one in played for name in one} if played else None,
        shadows=_shadows(parts),
    )


def _is_drawn(parts: Sequence[Outcome]) -> bool:
    """Return whether all views saw a drawn game of the same, unchanged arm."""
    if not all(part.drawn for part in parts):
        return False
    players = {(part.experiment, part.arm, part.setup) for part in parts}
    searched = chain.from_iterable((part.searched or {}).items() for part in parts)
    digests = {(name, strategy.digest) for name, strategy in searched}
    return len(players) == 1 and len(digests) == len({name for name, _ in digests})


def _moves_searched(parts: Sequence[Outcome]) -> int | None:
    """Return the number of moves that searches found; None if it is unknown for a part with searches."""
    if any(part.moves_searched is None and part.mean_depth is not None for part in parts):
        return None
    return sum(part.moves_searched or 0 for part in parts)


def _known_sum(parts: Sequence[Outcome], field: str) -> int | None:
    """Return the sum of a field over the parts with moves; None if it is unknown for one of them."""
    counts = [getattr(part, field) for part in parts if part.moves]
    return None if None in counts else sum(counts)


def mean_of(values: Sequence[Outcome | ShadowRecord], field: str, weight: str) -> float | None:
    """Return the mean of the known values of a field, weighted by another field; None if none is known."""
    known = [value for value in values if getattr(value, field) is not None]
    total = sum(getattr(value, weight) for value in known)
    return fsum(getattr(value, field) * getattr(value, weight) for value in known) / total if total else None


def _shadows(parts: Sequence[Outcome]) -> dict[str, ShadowRecord]:
    """Return the records of shadows, over the positions of all parts."""
    by_name: defaultdict[str, list[ShadowRecord]] = defaultdict(list)
    for part in parts:
        for name, shadow in part.shadows.items():
            by_name[name].append(shadow)
    return {
        name: msgspec.structs.replace(
            shadows[0],
            compared=sum(shadow.compared for shadow in shadows),
            agreed=sum(shadow.agreed for shadow in shadows),
            **{mean: mean_of(shadows, mean, "compared") for mean in SHADOW_MEANS},
        )
        for name, shadows in by_name.items()
    }
