"""The rows of a history."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from arena.data.history import History, HistoryTurn
from arena.data.schema import FOLDS, UNKNOWN_MOVE
from searcher.engine.position import Point, Position, Snake

Row = dict[str, Any]
"""The columns of arena.data.schema by name."""


def rows_of(history: History) -> Iterator[Row]:
    """Yield a row for each position of a game."""
    fold = fold_of(history.game)
    for number, turn in enumerate(history.turns):
        position = turn.position
        row = {
            "game": history.game,
            "fold": fold,
            "turn": position.turn,
            "width": position.width,
            "height": position.height,
            "ruleset": position.ruleset.name,
            "hazard_damage": position.ruleset.hazard_damage,
            "food": sorted(_cells(position, position.food)),
            "hazards": sorted(_cells(position, _hazards_on_board(position))),
            "snakes": [_snake(history, turn, number, snake) for snake in position.snakes],
        }
        yield row | {"digest": digest_of(row)}


def fold_of(game: str) -> int:
    """Return the fold of a game."""
    return hashlib.sha256(game.encode()).digest()[0] % FOLDS


def digest_of(row: Row) -> int:
    """Return a number that is the same for rows of equal positions, whatever the order of their snakes."""
    snakes = sorted((tuple(snake["body"]), snake["health"]) for snake in row["snakes"])
    parts = [row[name] for name in ("width", "height", "ruleset", "hazard_damage", "food", "hazards")]
    digest = hashlib.blake2b(repr((parts, snakes)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def _snake(history: History, turn: HistoryTurn, number: int, snake: Snake) -> Row:
    id_ = snake.id
    lived = min(history.lifetimes[id_], len(history.turns))
    return {
        "seat": list(history.players).index(id_),
        "player": history.players[id_],
        "health": snake.health,
        "body": _cells(turn.position, snake.body),
        "move": int(turn.moves.get(id_, UNKNOWN_MOVE)),
        "score": turn.scores.get(id_),
        "outcome": history.share_outlived(id_),
        "place": history.place(id_),
        "turns_left": lived - number,
    }


def _cells(position: Position, points: Iterable[Point]) -> list[int]:
    return [y * position.width + x for x, y in points]


def _hazards_on_board(position: Position) -> Sequence[Point]:
    return [(x, y) for x, y in position.hazards if 0 <= x < position.width and 0 <= y < position.height]
