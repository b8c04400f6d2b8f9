"""Games in the output of the official engine: JSON lines, as `battlesnake play -o FILE` writes them.

The first line has the game, and the last line its winner. The lines between are the bodies of requests, one
for each turn. Fields that the gateway does not keep, such as shouts and squads, are empty in a written file.
A written file of a game without an end has no winner. The engine itself writes a game only at its end, so the
file of an interrupted engine is empty.
"""

from collections.abc import Iterator, Sequence
from operator import attrgetter

import msgspec

from battlesnake_search import board as bodies
from battlesnake_search.common.types import Json
from battlesnake_search.reader import BadBody
from battlesnake_search.reader import read as read_body
from console.replay import set_end
from console.store.recorder import header_of, position_of
from console.store.records import IMPORTED, Header, Position
from console.store.values import Cell, Game, GameSnake, Placed, Result, Turn

_SQUAD = {
    "allowBodyCollisions": False,
    "sharedElimination": False,
    "sharedHealth": False,
    "sharedLength": False,
}


class BadFileError(ValueError):
    """A file that is not the output of the official engine. The message names the line."""


class _Ending(msgspec.Struct, frozen=True, rename="camel"):
    winner_id: str


def read(data: bytes) -> tuple[Header, list[Position]]:
    """Return the game in a file. A file that was cut off has its whole lines' turns and no end.

    Raises BadFileError.
    """
    lines = [(number, line) for number, line in enumerate(data.splitlines(), 1) if line.strip()]
    if not lines:
        raise BadFileError("the file is empty, as an interrupted engine leaves it")
    _check_json(*lines[0])
    if not data.endswith(b"\n") and not _is_json(lines[-1][1]):
        lines.pop()
    has_winner = len(lines) > 1 and b'"board"' not in lines[-1][1]
    turns = [_turn(number, line) for number, line in lines[1 : -1 if has_winner else None]]
    if not turns:
        raise BadFileError("a game has a line for itself, one for each turn and one for its winner")
    if huge := next((turn for turn in turns if turn.is_huge), None):
        board = huge.board
        raise BadFileError(
            f"the board has {board.width}x{board.height} cells; a side may have {bodies.MOST_SIDE}"
        )
    header = header_of(turns[0], IMPORTED)
    others = [turn for turn in turns if turn.game.id != turns[0].game.id]
    if others:
        raise BadFileError(f"turn {others[0].turn} belongs to another game than turn {turns[0].turn}")
    header.turns = max(turn.turn for turn in turns)
    positions = [position_of(turn) for turn in turns]
    if has_winner:
        _check_ending(*lines[-1])
        set_end(header, max(positions, key=attrgetter("turn")))
    return header, positions


def _turn(number: int, line: bytes) -> bodies.Turn:
    try:
        reading = read_body(line)
    except BadBody as error:
        raise BadFileError(f"line {number}: {error.field or 'the line'}: {error.reason}") from error
    if reading.mended & {"snakes", "body"}:
        # A snake that is left out would seem to be dead.
        raise BadFileError(f"line {number}: board.snakes: a snake lacks a readable body or its own id")
    return reading.turn


def _check_json(number: int, line: bytes) -> None:
    if not _is_json(line):
        raise BadFileError(f"line {number}: not JSON lines, as `battlesnake play -o FILE` writes them")


def _is_json(line: bytes) -> bool:
    """Return whether a line is a JSON object."""
    try:
        msgspec.json.decode(line, type=dict)
    except (ValueError, RecursionError):
        return False
    return True


def _check_ending(number: int, line: bytes) -> None:
    try:
        msgspec.json.decode(line, type=_Ending)
    except (ValueError, RecursionError) as error:
        raise BadFileError(f"line {number}: not the winner of a game: {error}") from error


def write(game: Game) -> Iterator[bytes]:
    """Yield the lines of a game's file."""
    about = _about(game)
    yield msgspec.json.encode(about) + b"\n"
    for turn in game.turns:
        yield msgspec.json.encode(_body(game, about, turn)) + b"\n"
    if game.result is not None:
        yield msgspec.json.encode(_winner(game, game.result)) + b"\n"


def _about(game: Game) -> Json:
    settings = msgspec.to_builtins(game.settings)
    settings |= {"hazardMap": "", "hazardMapAuthor": "", "squad": _SQUAD}
    # The version in a body's ruleset is the engine's version.
    ruleset = {"name": game.ruleset, "version": "cli", "settings": settings}
    return {
        "id": game.id,
        "ruleset": ruleset,
        "map": game.map,
        "timeout": game.timeout_ms,
        "source": "",
    }


def _body(game: Game, about: Json, turn: Turn) -> Json:
    living = [
        _snake(snake, placed)
        for snake, placed in zip(game.snakes, turn.snakes, strict=True)
        if placed is not None
    ]
    board = {
        "height": game.height,
        "width": game.width,
        "snakes": living,
        "food": _points(turn.food),
        "hazards": _points(turn.hazards),
    }
    return {"game": about, "turn": turn.turn, "board": board, "you": living[0] if living else _nobody(game)}


def _snake(snake: GameSnake, placed: Placed) -> Json:
    body = _points(placed.body)
    return {
        "id": snake.id,
        "name": snake.name,
        "latency": f"{placed.latency:.0f}",
        "health": placed.health,
        "body": body,
        "head": body[0] if body else {"x": 0, "y": 0},
        "length": len(body),
        "shout": "",
        "squad": "",
        "customizations": {"color": snake.color, "head": snake.head, "tail": snake.tail},
    }


def _nobody(game: Game) -> Json:
    """Return the `you` of a body without a living recipient."""
    return _snake(game.snakes[0], Placed([], 0)) if game.snakes else {"id": "", "body": []}


def _winner(game: Game, result: Result) -> Json:
    winner = game.snakes[result.winner] if result.winner is not None else None
    return {
        "winnerId": winner.id if winner else "",
        "winnerName": winner.name if winner else "",
        "isDraw": winner is None and len(game.snakes) > 1,
    }


def _points(cells: Sequence[Cell]) -> list[dict[str, int]]:
    return [{"x": x, "y": y} for x, y in cells]
