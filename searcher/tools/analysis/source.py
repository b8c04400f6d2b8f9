"""The source of a position: a /move body, or a turn of a game as `battlesnake play --output FILE` writes it.

Such a file has a line of JSON for the game, one for each turn, and one for the result. The line of a turn is
a /move body of one of the snakes, which may be dead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from battlesnake_search.reader import BadBody, decode
from battlesnake_search.searchable import position_of
from searcher.positions.move_body import MoveBody, RecordedSnake, You

STANDARD_INPUT = "/dev/stdin"
"""What the file "-" stands for."""


@dataclass(frozen=True, slots=True)
class Source:
    """A position as recorded. `is_you_given` is false if the snake to move is just the first one alive."""

    body: MoveBody
    is_you_given: bool


class _Board(msgspec.Struct):
    snakes: list[msgspec.Raw]


class _Line(msgspec.Struct):
    """A line of a game; only those of turns have these fields."""

    turn: int | None = None
    board: _Board | None = None


def read_source(text: str, you: str | None) -> Source:
    """Return the position in FILE or FILE:TURN, where FILE may be "-" for standard input.

    `you` is the name or the id of the snake to move, by default the body's own, or the first one alive.
    Raises ValueError, naming what is valid.
    """
    path, turn = _split(STANDARD_INPUT if text == "-" else text)
    content = _content(path)
    lines = _lines(content)
    is_game = len(lines) != 1
    try:
        body = _body_of_turn(path, lines, turn) if is_game else _single_body(path, lines[0], turn)
    except BadBody as error:
        raise ValueError(": ".join(filter(None, [path, error.field, error.reason]))) from None
    except msgspec.DecodeError as error:
        raise ValueError(f"{path}: {error}") from None
    snakes = body.board.snakes
    if you is not None:
        body.you = You(_named(you, snakes, body.turn).id)
    elif is_game:
        body.you = You(snakes[0].id)
    return Source(body, is_you_given=you is not None or not is_game)


def _split(text: str) -> tuple[str, int | None]:
    """Return the path and the turn of FILE or FILE:TURN. A file whose name has a colon is found as well."""
    path, colon, turn = text.rpartition(":")
    if not colon or Path(text).exists() or not Path(path).exists():
        return text, None
    if not turn.isdecimal():
        raise ValueError(f"{text}: the turn after the colon must be a whole number, not {turn!r}")
    return path, int(turn)


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None


def _lines(content: bytes) -> list[bytes]:
    """Return the values of JSON lines; what is none is one value, which may need a more tolerant reader."""
    try:
        return [bytes(line) for line in msgspec.json.Decoder(msgspec.Raw).decode_lines(content)]
    except msgspec.DecodeError:
        return [content]


def _move_body(content: bytes) -> MoveBody:
    """Return a body as a search can take it. Raises BadBody if it leaves no move to make."""
    position = position_of(decode(content)).turn
    return msgspec.convert(msgspec.to_builtins(position), MoveBody)


def _single_body(path: str, content: bytes, turn: int | None) -> MoveBody:
    body = _move_body(content)
    if turn not in (None, body.turn):
        raise ValueError(f"{path} is a /move body of turn {body.turn}, not of turn {turn}")
    return body


def _body_of_turn(path: str, lines: Sequence[bytes], turn: int | None) -> MoveBody:
    """Return the /move body of a turn of a game. Raises ValueError unless a snake is alive then."""
    parsed = [(msgspec.json.decode(line, type=_Line), line) for line in lines]
    bodies = {each.turn: line for each, line in parsed if each.turn is not None and each.board is not None}
    alive = [each.turn for each, _ in parsed if each.turn in bodies and each.board and each.board.snakes]
    if not alive:
        raise ValueError(f"{path} has neither a /move body nor turns of a game with a living snake")
    valid = f"valid: {min(alive)} to {max(alive)}"
    if turn is None:
        raise ValueError(f"{path} is a whole game; add a turn, as in {path}:{max(alive)}; {valid}")
    if turn not in alive:
        what = "no snake is alive in" if turn in bodies else "there is no such turn in"
        raise ValueError(f"turn {turn}: {what} {path}; {valid}")
    return _move_body(bodies[turn])


def _named(you: str, snakes: Sequence[RecordedSnake], turn: int) -> RecordedSnake:
    """Return the snake of this id, or else of this name."""
    found = [snake for snake in snakes if snake.id == you] or [snake for snake in snakes if snake.name == you]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(snake.id for snake in found)
        raise ValueError(f"--you: {len(found)} snakes are named {you!r}; give an id: {ids}")
    valid = ", ".join(snake.name or snake.id for snake in snakes)
    raise ValueError(f"--you: no snake {you!r} is alive on turn {turn}; valid: {valid}, or an id")
