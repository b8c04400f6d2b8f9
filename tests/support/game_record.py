"""The engine's record of a game, with the fields that the tests read."""

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
    """The settings of a ruleset that decide whether a snake survives."""

    hazard_damage_per_turn: int


class Ruleset(msgspec.Struct, frozen=True):
    """The rules of a game."""

    name: str
    settings: Settings


class Game(msgspec.Struct, frozen=True):
    """The constants of a game."""

    ruleset: Ruleset


class Board(msgspec.Struct, frozen=True):
    """A position; `snakes` holds the living snakes."""

    height: int
    width: int
    snakes: tuple[Snake, ...]
    food: tuple[Point, ...]
    hazards: tuple[Point, ...]


class Frame(msgspec.Struct, frozen=True):
    """One turn of a game, which is also the body of the engine's requests."""

    game: Game
    turn: int
    board: Board
    you: Snake
