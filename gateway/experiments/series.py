"""Series: the games that an arm has played in one way, with one code. A change begins a new series."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from gateway.experiments.games import Game
from gateway.game.values import StrategyRecord


@dataclass(slots=True)
class Series:
    """The games of an arm with the same setup in the routes, and the same code and weights of each strategy.

    A game uses only some of the strategies that the conditions of its arm name. So games belong together as
    long as those that they share are the same. The setup is None for games of which nothing is recorded.
    """

    setup: str | None
    games: list[Game] = field(default_factory=list)
    searched: dict[str, StrategyRecord] = field(default_factory=dict)
    """The strategies that found moves, by name."""

    def admits(self, game: Game) -> bool:
        """Return whether the game was played in the same way."""
        return self.setup == game.setup and all(
            self.searched.get(name, strategy).digest == strategy.digest
            for name, strategy in (game.searched or {}).items()
        )

    def add(self, game: Game) -> None:
        """Add a game."""
        self.games.append(game)
        self.searched |= game.searched or {}


def split(games: Iterable[Game]) -> list[Series]:
    """Return the series of an arm's games, which are in the order of their ends; the one played last is last.

    An arm that is changed back continues its former series.
    """
    found: list[Series] = []
    for game in games:
        index = next((n for n in reversed(range(len(found))) if found[n].admits(game)), None)
        series = Series(game.setup) if index is None else found.pop(index)
        series.add(game)
        found.append(series)
    return found
