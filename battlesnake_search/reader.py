"""The reader of request bodies. It mends faulty fields. Only faults in fields that a move needs cost a move.

A move needs the board's width and height, the bodies of the snakes, and `you`. Everything else that is
missing, null, of another type or out of range gets its default, and bad entries are dropped. `Reading.mended`
names the kinds of mends.
"""

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from battlesnake_search.board import (
    LARGEST_MENDED,
    LONGEST_ID,
    LONGEST_NAME,
    MAX_HEALTH,
    MOST,
    MOST_SNAKES,
    Board,
    Game,
    Looks,
    Point,
    Royale,
    Ruleset,
    Settings,
    Snake,
    Turn,
    milliseconds,
)
from battlesnake_search.contract.rulesets import RULESETS


@dataclass(frozen=True, slots=True)
class Reading:
    """A body, and the kinds of mends that it needed."""

    turn: Turn
    mended: frozenset[str] = frozenset()


class BadBody(ValueError):
    """A body for which no move can be chosen. `field` is the path of the field; empty for the whole body."""

    def __init__(self, reason: str, field: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.reason = reason
        self.field = field


_MOST_ENTRIES = 4 * MOST_SNAKES
"""The entries of a list of snakes that are looked at. Some of them may not be snakes."""

_MOST_POINTS = LARGEST_MENDED // len('{"x":0,"y":0}')
"""The entries of a list of points that are looked at: a body that is mended has no more points."""

KINDS = (
    *("json", "null", "type", "number", "range", "text"),
    *("ruleset", "food", "snakes", "body", "you"),
    *("overlap", "crowd", "large_board"),
)
"""The kinds of mends.

json: a byte order mark, a lone surrogate or NaN. null, type: null or another type in place of the field's
type. number: text or a fraction in place of a whole number. range: a number beyond its range. text: a long id
or name, or a null character. ruleset: an unknown name. food: off the board or twice. snakes, body: entries
that can't be read. you: not the snake on the board. `battlesnake_search.searchable` makes mends of the last
three kinds.
"""


def decode(body: bytes) -> Turn:
    """Return the turn in a posted body, as `read` does, without the kinds of mends."""
    return read(body).turn


def read(body: bytes) -> Reading:
    """Read a posted body; ignore unknown fields.

    A `you` without a body gets the body of its snake on the board. Raises BadBody if the body leaves no move
    to make: it is no JSON object, or has no board or no `you`. Also raises BadBody if a body of more than
    LARGEST_MENDED bytes needs a mend, because a mend takes ten times as long as a decoding.
    """
    try:
        turn = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _mended(body)
    return Reading(turn) if _is_clean(turn) and b"\\u0000" not in body else _mended(body)


_decoder = msgspec.json.Decoder(Turn)


def _is_clean(turn: Turn) -> bool:
    """Return whether a decoded body needs no mend."""
    board, own = turn.board, turn.own
    food = {(point.x, point.y) for point in board.food}
    return (
        bool(turn.you.body)
        and (own is None or own.body == turn.you.body)
        and turn.game.ruleset.name in RULESETS
        and len(food) == len(board.food)
        and all(map(board.holds, board.food))
        and len({snake.id for snake in board.snakes}) == len(board.snakes)
        and all(snake.body for snake in board.snakes)
    )


def _mended(body: bytes) -> Reading:
    if len(body) > LARGEST_MENDED:
        raise BadBody(f"a body of more than {LARGEST_MENDED} bytes must follow the API exactly", "")
    mender = _Mender()
    value = mender.parsed(body)
    return Reading(mender.turn(value), frozenset(mender.kinds))


def shortened(text: str, longest: int = LONGEST_ID) -> str:
    """Return an id of at most `longest` characters. The end of a longer one is replaced by a digest of it."""
    if len(text) <= longest:
        return text
    digest = hashlib.blake2b(text.encode(errors="replace"), digest_size=16).hexdigest()
    return f"{text[: longest - len(digest) - 1]}~{digest}"


def known_ruleset(name: str) -> str:
    """Return the ruleset of a name. Engines spell names in several ways. Unknown names are standard."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    if plain in RULESETS:
        return plain
    kinds = [kind for kind in ("wrapped", "constrictor", "royale", "solo") if kind in plain]
    return {"wrapped constrictor": "wrapped_constrictor"}.get(" ".join(kinds[:2]), [*kinds, "standard"][0])


class _Mender:
    """A reader of a body, field by field, that records the kinds of mends."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()

    def parsed(self, body: bytes) -> dict[str, Any]:
        """Return the JSON object of a body."""
        try:
            value = msgspec.json.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self.kinds.add("json")
            value = _lenient(body)
        if not isinstance(value, dict):
            raise BadBody("expected an object", "")
        return value

    def turn(self, value: dict[str, Any]) -> Turn:
        """Return the turn of a body."""
        game = self.game(value.get("game", {}))
        board = self.board(value.get("board"))
        you = self.you(value.get("you"), board)
        if "ruleset" in self.kinds and game.ruleset.name == "standard" and _crosses_seam(board):
            game = msgspec.structs.replace(
                game, ruleset=msgspec.structs.replace(game.ruleset, name="wrapped")
            )
        return Turn(game, board, you, self.number(value.get("turn", 0), 0, 0))

    def game(self, value: object) -> Game:
        """Return the constant part of a game."""
        fields = self.fields(value)
        return Game(
            self.text(fields.get("id", ""), LONGEST_ID),
            self.ruleset(fields.get("ruleset", {})),
            self.text(fields.get("map", "")),
            self.number(fields.get("timeout", 0), 0, 0),
        )

    def ruleset(self, value: object) -> Ruleset:
        """Return the rules of a game. The value may be their name instead of an object."""
        fields = {"name": value} if isinstance(value, str) else self.fields(value)
        stated = self.text(fields.get("name", "standard"))
        name = known_ruleset(stated)
        if name != stated:
            self.kinds.add("ruleset")
        settings = self.fields(fields.get("settings", {}))
        royale = self.fields(settings.get("royale", {}))
        return Ruleset(
            name,
            Settings(
                self.number(settings.get("foodSpawnChance", 0), 0, 0, 100),
                self.number(settings.get("minimumFood", 0), 0, 0),
                self.number(settings.get("hazardDamagePerTurn", 0), 0, -(2**31)),
                Royale(self.number(royale.get("shrinkEveryNTurns", 0), 0, 0)),
            ),
            self.text(fields.get("version", "")),
        )

    def board(self, value: object) -> Board:
        """Return the board."""
        if not isinstance(value, dict):
            raise BadBody(
                "missing required field `board`" if value is None else "expected an object", "board"
            )
        width, height = self.side(value, "width"), self.side(value, "height")
        empty = Board(width, height)
        given = self.points(value.get("food", []))
        food = [point for point in dict.fromkeys(given) if empty.holds(point)]
        if len(food) < len(given):
            self.kinds.add("food")
        entries = self.entries(value.get("snakes", []), _MOST_ENTRIES)
        snakes = [self.snake(each, f"snake-{number}") for number, each in enumerate(entries)]
        return Board(width, height, self.distinct(snakes), food, self.points(value.get("hazards", [])))

    def side(self, board: dict[str, Any], name: str) -> int:
        """Return a side of the board."""
        side = self.number(board.get(name), 0, 0)
        if side < 1:
            raise BadBody(f"expected a number of cells, got {board.get(name)!r}"[:200], f"board.{name}")
        return side

    def distinct(self, snakes: Iterable[Snake | None]) -> list[Snake]:
        """Return the snakes that have a body, each with a unique id."""
        found: dict[str, Snake] = {}
        for number, snake in enumerate(snakes):
            if snake is None or not snake.body or len(found) >= MOST_SNAKES:
                self.kinds.add("snakes")
                continue
            if snake.id in found:
                self.kinds.add("snakes")
                snake = msgspec.structs.replace(snake, id=shortened(f"{snake.id}#{number}"))
            found[snake.id] = snake
        return list(found.values())

    def snake(self, value: object, name: str) -> Snake | None:
        """Return a snake; without an id it gets the name. None if it is no object."""
        if not isinstance(value, dict):
            return None
        latency = value.get("latency")
        looks = self.fields(value.get("customizations", {}))
        return Snake(
            self.text(value.get("id", name), LONGEST_ID) or name,
            self.points(value.get("body", []), is_body=True),
            self.text(value.get("name", "")),
            self.number(value.get("health", MAX_HEALTH), MAX_HEALTH, 0, MAX_HEALTH),
            milliseconds(latency) or None,
            Looks(*(self.text(looks.get(part, "")) for part in ("color", "head", "tail"))),
        )

    def you(self, value: object, board: Board) -> Snake:
        """Return our snake. It is the one on the board with the same id or, without an id, the same body."""
        snake = self.snake(value, "")
        if snake is None or not (snake.id or snake.body):
            raise BadBody("expected a snake with an id or a body", "you")
        for each in board.snakes:
            if each.id == snake.id or (not snake.id and each.body == snake.body):
                if each.body != snake.body:
                    self.kinds.add("you")
                return each
        return snake if snake.id else msgspec.structs.replace(snake, id="you")

    def fields(self, value: object) -> dict[str, Any]:
        """Return the fields of an object; empty for another type."""
        if isinstance(value, dict):
            return value
        self.kinds.add("null" if value is None else "type")
        return {}

    def entries(self, value: object, most: int) -> list[Any]:
        """Return the first entries of a list; empty for another type."""
        if isinstance(value, list):
            return value[:most]
        self.kinds.add("null" if value is None else "type")
        return []

    def points(self, value: object, is_body: bool = False) -> list[Point]:
        """Return the readable points of a list; a body ends before the first unreadable one."""
        points = []
        for each in self.entries(value, _MOST_POINTS):
            point = self.point(each)
            if point is not None:
                points.append(point)
                continue
            self.kinds.add("body" if is_body else "type")
            if is_body:
                break
        return points

    def point(self, value: object) -> Point | None:
        """Return a point; None if it can't be read."""
        if not isinstance(value, dict):
            return None
        x, y = value.get("x"), value.get("y")
        if type(x) is not int or type(y) is not int:
            read = [_number(each) for each in (x, y)]
            if None in read:
                return None
            self.kinds.add("number")
            x, y = (math.floor(each or 0) for each in read)
        return Point(x, y) if -MOST <= x <= MOST and -MOST <= y <= MOST else None

    def number(self, value: object, default: int, low: int, high: int = MOST) -> int:
        """Return a whole number within a range; the default if there is none."""
        if type(value) is int and low <= value <= high:
            return value
        number = _number(value)
        if number is None:
            self.kinds.add("null" if value is None else "type")
            return default
        if type(value) is not int:
            self.kinds.add("number")
        if not low <= number <= high:
            self.kinds.add("range")
        return math.floor(min(max(number, low), high))

    def text(self, value: object, longest: int = LONGEST_NAME) -> str:
        """Return a text of bounded length, without characters that can't be stored."""
        if not isinstance(value, str):
            is_number = isinstance(value, int | float)
            self.kinds.add("null" if value is None else "type")
            return str(value) if is_number else ""
        text = value.replace("\0", "").encode(errors="replace").decode()
        text = shortened(text, longest) if longest == LONGEST_ID else text[:longest]
        if text != value:
            self.kinds.add("text")
        return text


def _lenient(body: bytes) -> object:
    """Parse JSON that strict parsers refuse: other encodings, a byte order mark, NaN, lone surrogates."""
    try:
        try:
            return json.loads(body)
        except UnicodeDecodeError:
            return json.loads(body.decode("utf-8-sig", errors="replace"))
    except (ValueError, RecursionError) as error:
        raise BadBody(f"not JSON: {error}", "") from error


def _number(value: object) -> float | None:
    """Return a value as a finite number, also from a text; None if it is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _crosses_seam(board: Board) -> bool:
    """Return whether a body goes over an edge of the board, as only wrapped rules allow."""
    across, along = board.width - 1, board.height - 1
    return any(
        (abs(one.x - two.x) == across > 1 and one.y == two.y)
        or (abs(one.y - two.y) == along > 1 and one.x == two.x)
        for snake in board.snakes
        for one, two in zip(snake.body, snake.body[1:], strict=False)
    )
