"""The results of our snakes in recorded games: a filter, and counts by arm, opponent and cause of death."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Literal, get_args

import msgspec

from battlesnake_search.common.types import Json
from console.store.values import GameSnake, Summary

Won = Literal["win", "draw", "loss", "none"]
"""The result of our snake; `none` without a known end, and in games of only our or only other snakes."""

UNKNOWN = "unknown"
"""The cause of a death that neither a server nor the boards explain."""

CHOICES = {"state": ("over", "playing"), "result": get_args(Won)}
"""The values of the filter's fields that are not free, by field."""


class Wanted(msgspec.Struct, frozen=True):
    """A filter of games. An empty field admits every game, and case does not matter in texts."""

    state: str = ""
    opponent: str = ""
    """A part of an opponent's name."""
    result: str = ""
    arm: str = ""
    cause: str = ""
    """The cause of our snake's death."""
    mode: str = ""
    """The ruleset."""
    q: str = ""
    """A part of the id, of a snake's name, of the map or of the ruleset."""

    def admits(self, game: Summary) -> bool:
        """Return whether a game is wanted."""
        parts = (game.id, game.map, game.ruleset, *(snake.name for snake in game.snakes))
        return (
            self.state in ("", "over" if game.over else "playing")
            and self.mode in ("", game.ruleset)
            and any(self.q.casefold() in part.casefold() for part in parts)
            and (not (self.opponent or self.result or self.arm or self.cause) or self._admits_a_snake(game))
        )

    def _admits_a_snake(self, game: Summary) -> bool:
        names = [snake.name.casefold() for snake in game.snakes if not snake.ours]
        return any(self.opponent.casefold() in name for name in names or [""]) and any(
            self.result in ("", result_of(game, number))
            and self.arm in ("", arm_of(game.snakes[number]))
            and self.cause in ("", cause_of(game, number))
            for number in _ours(game)
        )


class Results:
    """The results of games: each of our snakes counts once for its arm, and once against each opponent."""

    def __init__(self) -> None:
        self._games = 0
        self._arms: defaultdict[str, Counter[Won]] = defaultdict(Counter)
        self._opponents: defaultdict[str, Counter[Won]] = defaultdict(Counter)
        self._causes: Counter[str] = Counter()
        self._modes: Counter[str] = Counter()

    def add(self, game: Summary) -> None:
        """Count a game."""
        self._games += 1
        self._modes[game.ruleset] += 1
        opponents = {snake.name for snake in game.snakes if not snake.ours}
        for number in _ours(game):
            result = result_of(game, number)
            self._arms[arm_of(game.snakes[number])][result] += 1
            for name in opponents:
                self._opponents[name][result] += 1
            if cause := cause_of(game, number):
                self._causes[cause] += 1

    def as_json(self) -> Json:
        """Return the counts, the count of the most games first."""
        return {
            "games": self._games,
            "arms": _most_first(self._arms),
            "opponents": _most_first(self._opponents),
            "causes": _named(self._causes),
            "modes": _named(self._modes),
        }


_MOST_NAMES = 100
"""The most arms, opponents, causes or modes of an answer."""


def _most_first(counts: Mapping[str, Counter[Won]]) -> list[Json]:
    """Return the numbers of games by result, of each arm or against each opponent."""
    by_games = sorted(counts.items(), key=lambda item: (-item[1].total(), item[0]))
    return [
        {"name": name} | {result: results[result] for result in get_args(Won)}
        for name, results in by_games[:_MOST_NAMES]
    ]


def _named(counts: Counter[str]) -> list[Json]:
    return [{"name": name, "games": games} for name, games in counts.most_common(_MOST_NAMES)]


def _ours(game: Summary) -> Iterator[int]:
    return (number for number, snake in enumerate(game.snakes) if snake.ours)


def result_of(game: Summary, number: int) -> Won:
    """Return the result of the snake with a number."""
    if game.result is None or len({snake.ours for snake in game.snakes}) < 2:
        return "none"
    if game.result.winner is None:
        return "draw"
    return "win" if game.result.winner == number else "loss"


def arm_of(snake: GameSnake) -> str:
    """Return the name of a snake's arm, after the name of its experiment if that is another one."""
    return snake.arm if snake.experiment in ("", snake.arm) else f"{snake.experiment}/{snake.arm}"


def cause_of(game: Summary, number: int) -> str:
    """Return the cause of a snake's death; empty if it has not died, or if the game has no end."""
    cause = next((death.cause for death in game.deaths if death.snake == number), None)
    if game.result is None or game.result.winner == number:
        return ""
    return cause or UNKNOWN
