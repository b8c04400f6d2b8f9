"""The request bodies that a Battlesnake engine posts, typed."""

import re
from typing import Annotated, TypeVar

import msgspec

Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
Side = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]

Body = TypeVar("Body")

DEFAULT_TIMEOUT = 500
"""Milliseconds. The official engine uses this timeout if a game states 0 or none."""


class Point(msgspec.Struct, frozen=True):
    """A cell; (0, 0) is the bottom left."""

    x: Int32
    y: Int32


class Snake(msgspec.Struct, frozen=True):
    """A snake. `body` starts with the head; `latency` is that of its last answer, in milliseconds as text.

    `customizations` is the JSON of its looks. It stays unread, since no look is worth refusing a move.
    """

    id: str
    body: list[Point]
    name: str = ""
    health: Int32 = 100
    latency: str = "0"
    customizations: msgspec.Raw = msgspec.Raw(b"{}")


class Royale(msgspec.Struct, frozen=True, rename="camel"):
    """The settings that only royale has."""

    shrink_every_n_turns: Int32 = 0


class Settings(msgspec.Struct, frozen=True, rename="camel"):
    """The settings of a game. Missing ones are 0, as in the official rules library."""

    food_spawn_chance: Int32 = 0
    minimum_food: Int32 = 0
    hazard_damage_per_turn: Int32 = 0
    royale: Royale = Royale()


class Ruleset(msgspec.Struct, frozen=True):
    """The rules of a game. `version` is the engine's: "cli" for the official command line."""

    name: str = "standard"
    settings: Settings = Settings()
    version: str = ""


class Game(msgspec.Struct, frozen=True):
    """The constant part of a game. `timeout` is in milliseconds."""

    id: str
    ruleset: Ruleset = Ruleset()
    map: str = ""
    timeout: Milliseconds = 0


class Board(msgspec.Struct, frozen=True):
    """The board. `snakes` holds the living snakes; a hazard listed k times has k layers."""

    width: Side
    height: Side
    snakes: list[Snake]
    food: list[Point] = []
    hazards: list[Point] = []


class Turn(msgspec.Struct, frozen=True):
    """The body of a /start, /move or /end request."""

    game: Game
    board: Board
    you: Snake
    turn: Int32 = 0

    @property
    def timeout(self) -> int:
        """The milliseconds that the engine waits for an answer; above 0."""
        return self.game.timeout or DEFAULT_TIMEOUT

    @property
    def latency(self) -> float:
        """The milliseconds that the engine measured for our last answer; 0 if it reports none.

        They are read from the board, because the official engine always sends "0" in `you`.
        """
        for snake in self.board.snakes:
            if snake.id == self.you.id:
                return milliseconds(snake.latency)
        return 0.0


class BadBody(ValueError):
    """An invalid body. `field` is the path of the invalid field; empty if the whole body is invalid."""

    def __init__(self, reason: str, field: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.field = field


_decoder = msgspec.json.Decoder(Turn)
_MISSING = re.compile(r"missing required field `(\w+)`")
_NUMBER = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)


def decode(body: bytes) -> Turn:
    """Parse a posted body; ignore unknown fields.

    Raises BadBody, which names the invalid field, for example board.snakes[0].body[2].x.
    """
    return decode_with(_decoder, body)


def decode_with(decoder: msgspec.json.Decoder[Body], body: bytes) -> Body:
    """Parse a body of any kind as `decode` does."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        missing = _MISSING.findall(reason)
        raise BadBody(reason, ".".join([*filter(None, [path.rstrip("`")]), *missing])) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadBody(f"not JSON: {error}", "") from error


def milliseconds(text: str) -> float:
    """Return a snake's latency; 0 if it is invalid, which must not cost the move."""
    return float(text) if _NUMBER.fullmatch(text) else 0.0
