"""The engine's record of a game, as far as the tests read it."""

import msgspec


class Point(msgspec.Struct, frozen=True):
    """A cell, counted from the bottom left."""

    x: int
    y: int


class Snake(msgspec.Struct, frozen=True):
    """A snake of a frame. `body` is head first; `latency` holds milliseconds."""

    id: str
    name: str
    latency: str
    health: int
    body: tuple[Point, ...]


class Settings(msgspec.Struct, frozen=True, rename="camel"):
    """The settings of a ruleset that decide about life and death."""

    hazard_damage_per_turn: int


class Ruleset(msgspec.Struct, frozen=True):
    """The rules of a game."""

    name: str
    settings: Settings


class Game(msgspec.Struct, frozen=True):
    """What stays the same from turn to turn."""

    ruleset: Ruleset


class Board(msgspec.Struct, frozen=True):
    """A position; `snakes` holds the living ones."""

    height: int
    width: int
    snakes: tuple[Snake, ...]
    food: tuple[Point, ...]
    hazards: tuple[Point, ...]


class Frame(msgspec.Struct, frozen=True):
    """One turn of a game; also the body of the requests that the engine sends."""

    game: Game
    turn: int
    board: Board
    you: Snake
