"""Games that others recorded: records of the arena's matches, and output of the official engine.

`python -m gateway games export` writes the latter.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from arena.data.files import BadDataError, write_part
from arena.data.histories import History, HistoryTurn, history_of, rows_of
from arena.records import read_match
from searcher.engine.position import Direction, Point, Position
from searcher.engine.rules.records import STEPS
from searcher.errors import InvalidRequestError
from searcher.positions.move_body import MoveBody, You
from searcher.serving.move_body_check import checked_task

_body = msgspec.json.Decoder(MoveBody)


def write_recorded(files: Sequence[Path], folder: Path) -> tuple[int, int]:
    """Write a part for each file that has the same name; return the numbers of games and of positions.

    Raises BadDataError for a file that has no games, and OSError if one can't be read or written.
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
    """Yield the games of a file. Raises BadDataError, naming the line, and OSError if it can't be read."""
    with path.open("rb") as file:
        is_match = b'"record":"match"' in file.readline()
    try:
        yield from _of_match(path) if is_match else [_of_engine(path)]
    except ValueError as error:
        raise BadDataError(str(error)) from None


def _of_match(path: Path) -> Iterator[History]:
    match = read_match(path)
    players = [entrant.name for entrant in match.setup.entrants]
    # The names of a match's games begin with its seed alone.
    digest = zlib.crc32(msgspec.json.encode(match.setup))
    for block in match.blocks:
        for index, game in enumerate(block.games):
            if not game.void:
                yield history_of(match.setup.rules, game, f"{digest:08x}-{block.number}-{index}", players)


def _of_engine(path: Path) -> History:
    lines = [(number, line) for number, line in enumerate(path.read_bytes().splitlines(), 1) if line.strip()]
    # The first line has the game, the last one its winner.
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
    # The last body has the board at the end, on which nobody moves.
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
    """Yield the moves of the snakes that survived them, by id; the head of another one is not known."""
    for snake in position.snakes:
        (x, y) = snake.body[0]
        for direction, (dx, dy) in STEPS.items():
            target = (x + dx) % position.width, (y + dy) % position.height
            if after.get(snake.id) == target:
                yield snake.id, direction
