"""What a match leaves behind: a file with one JSON line for its setup, then one for each completed block.

A block is the smallest fair unit: the same food and starts, played once from every seating. All that is
measured in time stands in `milliseconds`; with limits of depth or nodes everything else repeats exactly.
"""

from typing import Literal

import msgspec

from arena.statistics.sprt import Sprt

Move = Literal["up", "down", "left", "right"]
Cell = tuple[int, int]
"""A point as (x, y), counted from the bottom left."""

Fault = Literal["late", "invalid", "refused", "crashed"]
"""What was wrong with an answer.

late: after the time allowed. invalid: no move. refused: an error the player answered with (an HTTP status,
a gRPC status). crashed: no answer, since a connection or the player itself broke down.
"""
FAULTS: tuple[Fault, ...] = ("late", "invalid", "refused", "crashed")

Ending = Literal["one left", "none left", "turn limit", "strict"]
"""Why a game ended; "strict": at a fault, in a match that tolerates none."""


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player may use for a move. Fields that are None don't limit."""

    milliseconds: int | None = None
    depth: int | None = None
    nodes: int | None = None
    threads: int = 1


class Rules(msgspec.Struct, frozen=True):
    """What a game is played by, in the official engine's words."""

    ruleset: str
    map: str
    width: int
    height: int
    minimum_food: int
    food_spawn_chance: int
    hazard_damage: int
    shrink_every: int
    max_turns: int


class Entrant(msgspec.Struct, frozen=True):
    """One side of the match: the text that names its player, and what it may use."""

    name: str
    player: str
    limits: Limits


class Setup(msgspec.Struct, frozen=True, tag_field="record", tag="match"):
    """The first line of a file: all that the outcome of a block depends on, besides its number."""

    entrants: tuple[Entrant, ...]
    snakes: int
    rules: Rules
    seed: int
    strict: bool = False
    openings: str | None = None
    """The digest of the book of openings."""
    blocks: int = 0
    """The most blocks to play; it and the test may change when a match is resumed."""
    test: Sprt | None = None
    version: int = 1


class Decision(msgspec.Struct, frozen=True, array_like=True):
    """What a snake did in a turn, and what its player told of it. `score` is from -1 (lost) to 1 (won)."""

    move: Move
    milliseconds: float
    fault: Fault | None = None
    depth: int = 0
    nodes: int = 0
    score: float | None = None
    pv: tuple[str, ...] = ()
    """The principal variation: for each turn a letter of u, d, l, r for each snake, - for the dead."""


class Turn(msgspec.Struct, frozen=True, array_like=True):
    """One turn: what each snake decided (None: dead), and what the map changed after it."""

    decisions: tuple[Decision | None, ...]
    food: tuple[Cell, ...] = ()
    """The food that appeared."""
    hazards: tuple[Cell, ...] | None = None
    """All hazards from now on, a cell given k times having k layers; None: as before."""


class Start(msgspec.Struct, frozen=True):
    """The board before the first decision. Bodies are head first."""

    turn: int
    bodies: tuple[tuple[Cell, ...], ...]
    health: tuple[int, ...]
    food: tuple[Cell, ...]
    hazards: tuple[Cell, ...] = ()


class Death(msgspec.Struct, frozen=True):
    """How a snake died, in the official engine's words: in which turn of the game (counted from 0: the
    index into `Game.turns`), and the index of the snake that did it, None where nobody did."""

    turn: int
    cause: str
    by: int | None = None


class Game(msgspec.Struct, frozen=True):
    """A whole game. Everything listed by snake follows the order of the snakes on the board."""

    seats: tuple[int, ...]
    """For each snake the index of its entrant in the match's setup."""
    start: Start
    turns: tuple[Turn, ...]
    deaths: tuple[Death | None, ...]
    """By snake; None: alive at the end."""
    ending: Ending
    void: str | None = None
    """Why the game does not count, if it does not."""


class Block(msgspec.Struct, frozen=True, tag_field="record", tag="block"):
    """The games of one fair unit."""

    number: int
    games: tuple[Game, ...]
    milliseconds: float

    @property
    def counts(self) -> bool:
        """Whether all of its games do; one that a fault has broken off compares nobody."""
        return not any(game.void or game.ending == "strict" for game in self.games)
