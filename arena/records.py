"""The records of a match, and its file: a JSON line for the setup, then one for each block that has ended.

A block is the smallest fair unit: games with the same food and starts, one for each seating. Every measured
time is a field `milliseconds`. With limits of depth or nodes all other fields repeat exactly. Blocks are
appended as they end, in whole lines, and sorted when the match ends.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from arena.statistics.sprt import Sprt

Move = Literal["up", "down", "left", "right"]
Cell = tuple[int, int]
"""A point as (x, y), counted from the bottom left."""

Fault = Literal["late", "invalid", "refused", "crashed"]
"""The kinds of faults in an answer.

late: after the time allowed. invalid: not a move. refused: an error from the player (an HTTP status, a gRPC
status). crashed: no answer, because the connection or the player itself failed.
"""
FAULTS: tuple[Fault, ...] = ("late", "invalid", "refused", "crashed")

Ending = Literal["one left", "none left", "turn limit", "strict"]
"""The reason why a game ended. It is "strict" if the match tolerates no faults and a fault occurred."""


class MoveLimits(msgspec.Struct, frozen=True, omit_defaults=True):
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
    limits: MoveLimits


class Setup(msgspec.Struct, frozen=True, tag_field="record", tag="match"):
    """The first line of a file: everything that the outcome of a block depends on, besides its number."""

    entrants: tuple[Entrant, ...]
    snakes: int
    rules: Rules
    seed: int
    strict: bool = False
    blocks: int = 0
    """The largest number of blocks to play. This field and the test may change when a match is resumed."""
    test: Sprt | None = None
    version: int = 1
    company: int = 0
    """The number of entrants at the end of the list. They take the seats that the contenders leave."""
    versions: tuple[str, ...] = ()
    """For each entrant a digest of its strategy, weights and code, empty if unknown. Former releases have no
    versions."""
    nonce: str = ""
    """A random part of the ids of games against URLs, empty without a URL. So no two matches share an id, and
    a snake that keeps games by their ids does not mix them. A resumed match keeps its nonce."""

    @property
    def contenders(self) -> int:
        """The number of entrants at the start of the list. They are compared and play in every game."""
        return len(self.entrants) - self.company


class Decision(msgspec.Struct, frozen=True, array_like=True):
    """A snake's move in a turn, and its player's report. `score` is from -1 (lost) to 1 (won)."""

    move: Move
    milliseconds: float
    fault: Fault | None = None
    depth: int = 0
    nodes: int = 0
    score: float | None = None
    pv: tuple[str, ...] = ()
    """For each turn of the principal variation, a letter for each snake: u, d, l or r, or - if dead."""


class Start(msgspec.Struct, frozen=True):
    """The board before the first decision. Bodies are head first."""

    turn: int
    bodies: tuple[tuple[Cell, ...], ...]
    health: tuple[int, ...]
    food: tuple[Cell, ...]
    hazards: tuple[Cell, ...] = ()


class Turn(msgspec.Struct, frozen=True, array_like=True):
    """One turn: the decision of each snake (None: dead), and the changes of the map after the moves."""

    decisions: tuple[Decision | None, ...]
    food: tuple[Cell, ...] = ()
    """The food that appeared."""
    hazards: tuple[Cell, ...] | None = None
    """All hazards from now on, or None if they stay the same. A cell that is listed k times has k layers.

    Hazards off the board have no effect.
    """
    restart: Start | None = None
    """The board on which all snakes continue, or None for the present board."""


class RecordedDeath(msgspec.Struct, frozen=True):
    """The death of a snake, with the official engine's name of its cause.

    `turn` is an index into `Game.turns`. `by` is the index of the snake that caused the death, None if no
    snake did.
    """

    turn: int
    cause: str
    by: int | None = None


class Looks(msgspec.Struct, frozen=True, omit_defaults=True):
    """The looks of a snake as others see them. `name` is the name on the board of a snake at a URL."""

    color: str = ""
    head: str = ""
    tail: str = ""
    name: str = ""


class Game(msgspec.Struct, frozen=True):
    """A whole game. All fields by snake are in the order of the snakes on the first board."""

    seats: tuple[int, ...]
    """For each snake the index of its entrant in the match's setup."""
    start: Start
    turns: tuple[Turn, ...]
    deaths: tuple[RecordedDeath | None, ...]
    """The death of each snake, or None if it is alive at the end."""
    ending: Ending
    void: str | None = None
    """Why the game does not count, or None if it does."""
    looks: tuple[Looks, ...] = ()
    """The looks of each snake, or nothing if no snake is at a URL. Former releases have no looks."""


class Block(msgspec.Struct, frozen=True, tag_field="record", tag="block"):
    """The games of a block."""

    number: int
    games: tuple[Game, ...]
    milliseconds: float

    @property
    def counts(self) -> bool:
        """Whether all games of the block count. A game that ended at a fault does not count."""
        return not any(game.void or game.ending == "strict" for game in self.games)


_encode = msgspec.json.Encoder().encode
_setup = msgspec.json.Decoder(Setup)
_block = msgspec.json.Decoder(Block)

_T = TypeVar("_T")

_BEGINNING = b'{"record":"match"'
"""The beginning of the file of a match."""

_MAY_CHANGE = {"blocks", "test", "nonce"}
"""The fields of a setup that may change when a match is resumed."""


@dataclass(frozen=True, slots=True)
class Match:
    """The content of a file. `blocks` are in the order of their numbers."""

    setup: Setup
    blocks: tuple[Block, ...]


def read_match(path: Path) -> Match:
    """Return the match in a file, without the torn last line that a killed match leaves.

    Raises ValueError, naming the line, for any other error in the file.
    """
    setup = read_setup_of(path)
    return Match(setup, tuple(sorted(blocks_in(path), key=lambda block: block.number)))


def read_setup_of(path: Path) -> Setup:
    """Return the setup in a file. Raises ValueError if the first line has none."""
    with path.open("rb") as file:
        line = file.readline()
    if not line.endswith(b"\n"):
        raise ValueError(f"{path.name}: the file has no whole line")
    if not line.startswith(_BEGINNING):
        words = "this is not the file of a match, as `match --output FILE` writes it"
        raise ValueError(f"{path.name}, line 1: {words}")
    return _decoded(_setup, line, f"{path.name}, line 1")


def blocks_in(path: Path) -> Iterator[Block]:
    """Yield the blocks in a file one by one, in the order of its lines. Errors are as in `read_match`."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if number > 1 and line.endswith(b"\n"):
                yield _decoded(_block, line, f"{path.name}, line {number}")


def _decoded(decoder: msgspec.json.Decoder[_T], line: bytes, place: str) -> _T:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{place}: {error}") from None


def holds_match(path: Path) -> bool:
    """Return whether a file can be read and begins like the file of a match."""
    try:
        with path.open("rb") as file:
            return file.read(len(_BEGINNING)) == _BEGINNING
    except OSError:
        return False


class MatchFile:
    """A file that a match is being written to."""

    def __init__(self, path: Path, setup: Setup, resume: bool) -> None:
        """Open the file, and create missing folders.

        Raises ValueError if the file exists without `resume`, or holds another match.

        `setup` then has the nonce and the versions of the match in the file, if any.
        """
        self._path = path
        self.setup = setup
        lines: list[bytes] = []
        if path.exists() and path.stat().st_size:
            if not resume:
                raise ValueError(f"{path} exists; --resume continues it")
            was = read_match(path).setup
            _check_same(was, setup)
            self.setup = msgspec.structs.replace(setup, nonce=was.nonce, versions=was.versions)
            lines = self._lines()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._rewrite(lines)
        self._file = path.open("ab")

    def earlier(self) -> Iterator[Block]:
        """Return the blocks in the file."""
        return map(_block.decode, self._lines())

    def append(self, block: Block) -> None:
        """Write a block, and return when the operating system has received it."""
        self._file.write(_encode(block) + b"\n")
        self._file.flush()

    def finish(self, blocks: int) -> None:
        """Keep the first `blocks` blocks in order, so that the workers' speed does not change the content."""
        self._file.close()
        numbered = {_block.decode(line).number: line for line in self._lines()}
        self._rewrite([numbered[number] for number in range(blocks)])

    def close(self) -> None:
        """Leave the file as it is, to be resumed."""
        self._file.close()

    def _lines(self) -> list[bytes]:
        """Return the lines of the blocks, without a torn last line."""
        return self._path.read_bytes().split(b"\n")[1:-1]

    def _rewrite(self, lines: Iterable[bytes]) -> None:
        """Replace the file atomically, so that a kill leaves the old content or the new one."""
        new = self._path.with_name(f".{self._path.name}.new")
        with new.open("wb") as file:
            file.writelines(line + b"\n" for line in (_encode(self.setup), *lines))
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._path)


def _check_same(was: Setup, now: Setup) -> None:
    unknown = set() if was.versions else {"versions"}
    for field in set(now.__struct_fields__) - _MAY_CHANGE - unknown:
        old, new = getattr(was, field), getattr(now, field)
        if old != new:
            was_text, now_text = (_encode(value).decode() for value in (old, new))
            raise ValueError(f"the file holds another match: its {field} is {was_text}, not {now_text}")
