"""Positions as JSON: the part of a Battlesnake /move request body that a search depends on.

A file of JSON lines has a value on each line.
"""

from typing import TypeVar

import msgspec

from battlesnake_search.board import Board, Game
from battlesnake_search.board import Point as Cell
from searcher.engine.position import Point, Position, Ruleset, Snake, ruleset_on

T = TypeVar("T")


class You(msgspec.Struct):
    """The snake to move."""

    id: str


class MoveBody(msgspec.Struct):
    """The body of a /move request. In `you`, only the id counts."""

    game: Game
    turn: int
    board: Board
    you: You


def position_in(body: MoveBody) -> Position:
    """Return the position in a /move body. Raises ValueError if `you` is not on the board."""
    ids = [snake.id for snake in body.board.snakes]
    if body.you.id not in ids:
        raise ValueError(f"you.id: {body.you.id!r} is not in board.snakes: {', '.join(ids)}")
    return position_on(body.board, _ruleset(body.game), body.turn, ids.index(body.you.id))


def _ruleset(game: Game) -> Ruleset:
    name, settings = game.ruleset.name, game.ruleset.settings
    shrink_every = settings.royale.shrink_every_n_turns
    return ruleset_on(game.map, name, settings.hazard_damage_per_turn, shrink_every)


def position_on(board: Board, ruleset: Ruleset, turn: int, you: int = 0) -> Position:
    """Return the position on a board, seen by the snake at index `you`."""
    return Position(
        width=board.width,
        height=board.height,
        snakes=tuple(Snake(snake.id, snake.health, points_of(snake.body)) for snake in board.snakes),
        food=points_of(board.food),
        hazards=points_of(board.hazards),
        you=you,
        turn=turn,
        ruleset=ruleset,
    )


def points_of(cells: list[Cell]) -> tuple[Point, ...]:
    """Return the cells as points."""
    return tuple((cell.x, cell.y) for cell in cells)


def decode_lines(name: str, content: bytes, kind: type[T]) -> list[T]:
    """Return the value on each line of a file's content.

    Raises ValueError for an invalid line. The error names the file, the line and the field.
    """
    decoder = msgspec.json.Decoder(kind)
    values = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            values.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{name}, line {number}: {error}") from None
    return values
