"""Positions as JSON: the part of a Battlesnake /move request body that a search depends on."""

from pathlib import Path

import msgspec

from searcher.engine.position import Point, Position, Ruleset, Snake, ruleset_on


class Cell(msgspec.Struct):
    """A point."""

    x: int
    y: int


class RecordedSnake(msgspec.Struct, omit_defaults=True):
    """A living snake, its body head first. No search depends on its name."""

    id: str
    health: int
    body: list[Cell]
    name: str = ""


class BoardState(msgspec.Struct, kw_only=True):
    """A board. A hazard listed k times has k layers."""

    width: int
    height: int
    snakes: list[RecordedSnake]
    food: list[Cell] = []
    hazards: list[Cell] = []


class Royale(msgspec.Struct, rename="camel", kw_only=True):
    """The settings of hazards that close in on the board."""

    shrink_every_n_turns: int = 0


class Settings(msgspec.Struct, rename="camel", kw_only=True):
    """The settings that a turn depends on."""

    hazard_damage_per_turn: int = 0
    royale: Royale = msgspec.field(default_factory=Royale)


class RecordedRuleset(msgspec.Struct):
    """The rules of a game, by their official name."""

    name: str = "standard"
    settings: Settings = msgspec.field(default_factory=Settings)


class Game(msgspec.Struct):
    """A game and the name of its map."""

    ruleset: RecordedRuleset = msgspec.field(default_factory=RecordedRuleset)
    map: str = ""


class You(msgspec.Struct):
    """The snake to move."""

    id: str


class MoveBody(msgspec.Struct):
    """The body of a /move request."""

    game: Game
    turn: int
    board: BoardState
    you: You


def read_body(path: Path) -> MoveBody:
    """Return the /move body in a file.

    Raises msgspec.DecodeError for invalid JSON, and its subclass ValidationError with the field for an
    invalid body.
    """
    return msgspec.json.decode(path.read_bytes(), type=MoveBody)


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


def position_on(board: BoardState, ruleset: Ruleset, turn: int, you: int = 0) -> Position:
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
