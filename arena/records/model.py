"""The records of a match: one JSON line for its setup, then one line for each completed block.

A block is the smallest fair unit: the same food and starts, played once from every seating. Every measured
time is a field `milliseconds`; with limits of depth or nodes everything else repeats exactly.
"""

from typing import Literal

import msgspec

from arena.statistics.sprt import Sprt

Move = Literal["up", "down", "left", "right"]
Cell = tuple[int, int]
"""A point as (x, y), counted from the bottom left."""

Fault = Literal["late", "invalid", "refused", "crashed"]
"""The kinds of faults in an answer.

late: after the time allowed. invalid: not a move. refused: an error from the player (an HTTP status, a gRPC
status). crashed: no answer, since the connection or the player itself failed.
"""
FAULTS: tuple[Fault, ...] = ("late", "invalid", "refused", "crashed")

Ending = Literal["one left", "none left", "turn limit", "strict"]
"""Why a game ended; "strict": by a fault, in a match that tolerates none."""


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """The limits of a player for a move. A field that is None sets no limit."""

    milliseconds: int | None = None
    depth: int | None = None
    nodes: int | None = None
    threads: int = 1


class Rules(msgspec.Struct, frozen=True):
    """The rules of a game, in the official engine's terms."""

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
    """One side of the match: its name, the text that describes its player, and its limits."""

    name: str
    player: str
    limits: Limits


class Setup(msgspec.Struct, frozen=True, tag_field="record", tag="match"):
    """The first line of a file: everything that the outcome of a block depends on, besides its number."""

    entrants: tuple[Entrant, ...]
    snakes: int
    rules: Rules
    seed: int
    strict: bool = False
    openings: str | None = None
    """The digest of the book of openings; None without a book."""
    blocks: int = 0
    """The largest number of blocks to play. This field and the test may change when a match is resumed."""
    test: Sprt | None = None
    version: int = 1
    company: int = 0
    """The number of entrants, the last ones, that take the seats which the contenders leave."""

    @property
    def contenders(self) -> int:
        """The number of entrants, the first ones, that are compared and play in every game."""
        return len(self.entrants) - self.company


class Decision(msgspec.Struct, frozen=True, array_like=True):
    """A snake's move in a turn, and what its player reported. `score` is from -1 (lost) to 1 (won)."""

    move: Move
    milliseconds: float
    fault: Fault | None = None
    depth: int = 0
    nodes: int = 0
    score: float | None = None
    pv: tuple[str, ...] = ()
    """The principal variation: for each turn, a letter for each snake: u, d, l or r, or - for a dead one."""


class Start(msgspec.Struct, frozen=True):
    """The board before the first decision. Bodies are head first."""

    turn: int
    bodies: tuple[tuple[Cell, ...], ...]
    health: tuple[int, ...]
    food: tuple[Cell, ...]
    hazards: tuple[Cell, ...] = ()


class Turn(msgspec.Struct, frozen=True, array_like=True):
    """One turn: the decision of each snake (None: dead), and what the map changed after the moves."""

    decisions: tuple[Decision | None, ...]
    food: tuple[Cell, ...] = ()
    """The food that appeared."""
    hazards: tuple[Cell, ...] | None = None
    """All hazards from now on, a cell given k times having k layers; None: as before.

    Hazards off the board have no effect.
    """
    restart: Start | None = None
    """The board on which all snakes continue instead; None: this board."""


class Death(msgspec.Struct, frozen=True):
    """The death of a snake, with the official engine's name of its cause.

    `turn` is an index into `Game.turns`. `by` is the index of the snake that caused the death, None if no
    snake did.
    """

    turn: int
    cause: str
    by: int | None = None


class Game(msgspec.Struct, frozen=True):
    """A whole game. All fields by snake are in the order of the snakes on the first board."""

    seats: tuple[int, ...]
    """For each snake the index of its entrant in the match's setup."""
    start: Start
    turns: tuple[Turn, ...]
    deaths: tuple[Death | None, ...]
    """By snake; None: alive at the end."""
    ending: Ending
    void: str | None = None
    """Why the game does not count; None if it does."""


class Block(msgspec.Struct, frozen=True, tag_field="record", tag="block"):
    """The games of a block."""

    number: int
    games: tuple[Game, ...]
    milliseconds: float

    @property
    def counts(self) -> bool:
        """Whether all of its games count; a game that ended at a fault does not."""
        return not any(game.void or game.ending == "strict" for game in self.games)
