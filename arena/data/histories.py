"""A whole game and its rows of data, from the arena or from a file.

The file is the record of a match, or output of the official engine, as `python -m console games export`
writes it.
"""

import hashlib
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.data.files import FOLDS, UNKNOWN_MOVE, BadDataError, Row, write_part
from arena.games.boards import hazards_on_board, moves_in, replayed
from arena.records import Game, Rules, holds_match, read_match
from searcher.engine.position import Direction, Point, Position, Snake
from searcher.engine.rules.records import STEPS
from searcher.errors import InvalidRequestError
from searcher.positions.move_body import MoveBody, You
from searcher.tools.move_body_check import checked_task


@dataclass(frozen=True, slots=True)
class HistoryTurn:
    """A position with the moves of its snakes, and the scores of their searches, by the snake's id.

    The mappings lack snakes with an unknown move or score, and snakes that moved at random.
    """

    position: Position
    moves: Mapping[str, Direction]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class History:
    """A game. `players` and `lifetimes` are by the snake's id.

    A lifetime is the number of turns that a snake played. A snake that is alive at the end has played all
    turns of the game. A dead snake may have played fewer.
    """

    game: str
    turns: Sequence[HistoryTurn]
    players: Mapping[str, str]
    lifetimes: Mapping[str, float]

    def share_outlived(self, snake: str) -> float:
        """Return the share of other snakes that a snake outlived. Ties count half. A lone snake has 1/2."""
        others = [turns for id_, turns in self.lifetimes.items() if id_ != snake]
        own = self.lifetimes[snake]
        won = sum(1.0 if own > other else 0.5 if own == other else 0.0 for other in others)
        return won / len(others) if others else 0.5

    def place(self, snake: str) -> int:
        """Return the place of a snake, from 1. Snakes that died in the same turn share the better place."""
        return 1 + sum(turns > self.lifetimes[snake] for turns in self.lifetimes.values())


def history_of(
    rules: Rules,
    game: Game,
    name: str,
    players: Sequence[str],
    explored: Collection[tuple[int, str]] = (),
) -> History:
    """Return the history of a game that the arena played. `players` are by the entrant's index.

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
        # A survivor has lived longer than a snake that died in the last turn.
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
            "hazards": sorted(_cells(position, hazards_on_board(position))),
            "snakes": [_snake(history, turn, number, snake) for snake in position.snakes],
        }
        yield row | {"digest": digest_of(row)}


def fold_of(game: str) -> int:
    """Return the fold of a game."""
    return hashlib.sha256(game.encode()).digest()[0] % FOLDS


def digest_of(row: Row) -> int:
    """Return a number that is the same for rows of equal positions, in any order of their snakes."""
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


_body = msgspec.json.Decoder(MoveBody)


def write_recorded(files: Sequence[Path], folder: Path) -> tuple[int, int]:
    """Write a part for each file, with the file's name. Return the numbers of games and of positions.

    Raises BadDataError for a file without games, and OSError if a file can't be read or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    games = positions = 0
    for path in files:
        histories = list(histories_in(path))
        rows = [row for history in histories for row in rows_of(history)]
        write_part(folder / f"{path.stem}.parquet", rows)
        games, positions = games + len(histories), positions + len(rows)
    return games, positions


def histories_in(path: Path) -> Iterator[History]:
    """Yield the games of a file. Raises BadDataError with the line, and OSError for an unreadable file."""
    try:
        yield from _of_match(path) if holds_match(path) else [_of_engine(path)]
    except ValueError as error:
        raise BadDataError(str(error)) from None


def _of_match(path: Path) -> Iterator[History]:
    match = read_match(path)
    players = [entrant.name for entrant in match.setup.entrants]
    # The digest is needed because the names of a match's games have only its seed.
    digest = zlib.crc32(msgspec.json.encode(match.setup))
    for block in match.blocks:
        for index, game in enumerate(block.games):
            if not game.void:
                yield history_of(match.setup.rules, game, f"{digest:08x}-{block.number}-{index}", players)


def _of_engine(path: Path) -> History:
    lines = [(number, line) for number, line in enumerate(path.read_bytes().splitlines(), 1) if line.strip()]
    # Skip the first line with the game, and the last one with its winner.
    bodies = [(number, _decoded(path, number, line)) for number, line in lines[1:] if b'"board"' in line]
    if not bodies:
        raise BadDataError(f"{path.name} has neither a match of the arena nor a game of the official engine")
    if b'"winnerId"' not in lines[-1][1]:
        raise BadDataError(f"{path.name}: the game has no end: the last line does not name a winner")
    return _history(path, bodies)


def _decoded(path: Path, number: int, line: bytes) -> MoveBody:
    try:
        return _body.decode(line)
    except msgspec.DecodeError as error:
        raise BadDataError(f"{path.name}, line {number}: {error}") from None


def _history(path: Path, bodies: Sequence[tuple[int, MoveBody]]) -> History:
    # The last body has the board at the end, without moves.
    positions = [_position(path, number, body) for number, body in bodies[:-1]]
    alive = [{snake.id for snake in body.board.snakes} for _, body in bodies]
    players = {snake.id: snake.name for snake in bodies[0][1].board.snakes}
    last_heads = {snake.id: snake.body[0] for snake in bodies[-1][1].board.snakes}
    heads = [{snake.id: snake.body[0] for snake in position.snakes} for position in positions]
    heads.append({id_: (cell.x, cell.y) for id_, cell in last_heads.items()})
    turns = [
        HistoryTurn(position, dict(_moves(position, after)), {})
        for position, after in zip(positions, heads[1:], strict=True)
    ]
    lifetimes = {id_: sum(id_ in ids for ids in alive) for id_ in players}
    return History(path.stem, turns, players, lifetimes)


def _position(path: Path, number: int, body: MoveBody) -> Position:
    if not body.board.snakes:
        raise BadDataError(f"{path.name}, line {number}: board.snakes is empty before the end of the game")
    try:
        return checked_task(msgspec.structs.replace(body, you=You(body.board.snakes[0].id))).position
    except InvalidRequestError as error:
        raise BadDataError(f"{path.name}, line {number}: {error}") from None


def _moves(position: Position, after: Mapping[str, Point]) -> Iterator[tuple[str, Direction]]:
    """Yield the moves of surviving snakes, by id. A dead snake's last move is unknown: no head shows it."""
    for snake in position.snakes:
        (x, y) = snake.body[0]
        for direction, (dx, dy) in STEPS.items():
            target = (x + dx) % position.width, (y + dy) % position.height
            if after.get(snake.id) == target:
                yield snake.id, direction
