"""A recorded game in the form of the official engine's server: the facts, and a frame for each turn."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from battlesnake_search.common.types import Json
from console.store.records import RUNNING
from console.store.values import Cell, Facts, Game, Placed, Turn

ANY_BOARD = "*"
"""The boards of every origin."""


def facts(game: Facts) -> Json:
    """Return what the engine tells of a game besides its frames."""
    settings = {"name": game.ruleset} | _texts(msgspec.to_builtins(game.settings))
    return {
        "ID": game.id,
        "Status": _status(game),
        "Width": game.width,
        "Height": game.height,
        "Ruleset": settings,
        "RulesetName": game.ruleset,
        "RulesStages": [],
        "Map": game.map,
        "SnakeTimeout": game.timeout_ms,
        "Source": "",
    }


def _texts(values: Json) -> Json:
    """Return settings in one level, as texts."""
    texts: Json = {}
    for name, value in values.items():
        texts |= _texts(value) if isinstance(value, dict) else {name: str(value)}
    return texts


def _status(game: Facts) -> str:
    if not game.over or (game.result is None and game.source == RUNNING):
        return "running"
    return "complete" if game.result else "stopped"


class _Death(NamedTuple):
    turn: int
    cause: str
    by: str


class Frames:
    """The frames of a game, made from its turns in order.

    A dead snake stays where it was last alive, because its last move is not recorded. Its death is in the
    first recorded turn without it.
    """

    def __init__(self, game: Game) -> None:
        self._snakes = game.snakes
        self._last: dict[int, Placed] = {}
        self._deaths: dict[int, _Death] = {}

    def all(self, turns: list[Turn]) -> Iterator[Json]:
        """Yield the frames of turns."""
        return map(self.add, turns)

    def add(self, turn: Turn) -> Json:
        """Return the frame of the next turn."""
        for number, placed in enumerate(turn.snakes[: len(self._snakes)]):
            if placed:
                self._last[number] = placed
            elif number in self._last:
                self._deaths.setdefault(number, self._death(turn, number))
        return {
            "Turn": turn.turn,
            "Snakes": [self._snake(number, placed) for number, placed in sorted(self._last.items())],
            "Food": _points(turn.food),
            "Hazards": _points(turn.hazards),
        }

    def _death(self, turn: Turn, number: int) -> _Death:
        death = next((each for each in turn.deaths if each.snake == number), None)
        by = None if death is None or death.by is None else self._snakes[death.by]
        since = death.turn_in(turn) if death else turn.turn
        return _Death(since, (death and death.cause) or "", by.id if by else "")

    def _snake(self, number: int, placed: Placed) -> Json:
        snake, death = self._snakes[number], self._deaths.get(number)
        dead = {"Cause": death.cause, "Turn": death.turn, "EliminatedBy": death.by} if death else None
        return {
            "ID": snake.id,
            "Name": snake.name,
            "Body": _points(placed.body),
            "Health": placed.health,
            "Death": dead,
            "Color": snake.color,
            "HeadType": snake.head,
            "TailType": snake.tail,
            "Latency": "0" if dead else f"{placed.latency:.0f}",
            "Shout": "",
            "Squad": "",
            "Author": "",
        }


def _points(cells: list[Cell]) -> list[Json]:
    return [{"X": x, "Y": y} for x, y in cells]
