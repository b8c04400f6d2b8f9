"""A whole game, whoever played or recorded it, and its rows of data."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.data.files import FOLDS, UNKNOWN_MOVE, Row
from arena.games.replay import moves_in, replayed
from arena.records import Game, Rules
from searcher.engine.position import Direction, Point, Position, Snake


@dataclass(frozen=True, slots=True)
class HistoryTurn:
    """A position with the moves of its snakes, and the scores of their searches, by the snake's id.

    A snake whose move or score is unknown is not in the mapping, nor is one that moved at random.
    """

    position: Position
    moves: Mapping[str, Direction]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class History:
    """A game. `players` and `lifetimes` are by the snake's id.

    A lifetime is the number of turns that a snake played: that of the game for a snake that is alive at the
    end, and less than that or equal for the others.
    """

    game: str
    turns: Sequence[HistoryTurn]
    players: Mapping[str, str]
    lifetimes: Mapping[str, float]

    def share_outlived(self, snake: str) -> float:
        """Return the share of the other snakes that it outlived; ties count half. 1/2 for a lone snake."""
        others = [turns for id_, turns in self.lifetimes.items() if id_ != snake]
        own = self.lifetimes[snake]
        won = sum(1.0 if own > other else 0.5 if own == other else 0.0 for other in others)
        return won / len(others) if others else 0.5

    def place(self, snake: str) -> int:
        """Return the place of a snake, from 1; snakes that died in the same turn share the better one."""
        return 1 + sum(turns > self.lifetimes[snake] for turns in self.lifetimes.values())


def history_of(
    rules: Rules,
    game: Game,
    name: str,
    players: Sequence[str],
    explored: Collection[tuple[int, str]] = (),
) -> History:
    """Return the history of a game that the arena played; `players` are by the entrant's index.

    `explored` has the turn and the snake's id of each random move.
    """
    turns = [
        HistoryTurn(
            position,
            {id_: move for id_, move in moves_in(turn).items() if (position.turn, id_) not in explored},
            {
                str(snake): decision.score
                for snake, decision in enumerate(turn.decisions)
                if decision is not None and decision.score is not None
            },
        )
        for position, turn in zip(replayed(rules, game), game.turns, strict=False)
    ]
    lifetimes = {
        # Whoever survives has lived longer than whoever died in the last turn.
        str(snake): len(game.turns) + 1 if death is None else death.turn + 1
        for snake, death in enumerate(game.deaths)
    }
    return History(
        name, turns, {str(snake): players[seat] for snake, seat in enumerate(game.seats)}, lifetimes
    )


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
