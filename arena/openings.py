"""Books of openings: positions to start from, one /move body a line."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.records import Rules, Start
from searcher.checking import checked_task
from searcher.engine.position import Position
from searcher.errors import InvalidRequestError
from searcher.recorded import MoveBody


@dataclass(frozen=True, slots=True)
class Book:
    """Openings, and a digest by which a resumed match knows that they are the same."""

    starts: tuple[Start, ...]
    digest: str


def read_book(path: Path, rules: Rules, snakes: int) -> Book:
    """The openings in a file. Raises ValueError, naming the line, unless all fit the rules of the match."""
    content = path.read_bytes()
    decoder = msgspec.json.Decoder(MoveBody)
    starts = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            position = checked_task(decoder.decode(line)).position
            _check_fits(position, rules, snakes)
        except (msgspec.DecodeError, InvalidRequestError, ValueError) as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from None
        starts.append(_start(position))
    if not starts:
        raise ValueError(f"{path.name}: no openings in it")
    return Book(tuple(starts), hashlib.sha256(content).hexdigest()[:16])


def _check_fits(position: Position, rules: Rules, snakes: int) -> None:
    if (position.width, position.height) != (rules.width, rules.height):
        board = f"{position.width}x{position.height}"
        raise ValueError(f"a {board} board in a match on {rules.width}x{rules.height}")
    if len(position.snakes) != snakes:
        raise ValueError(f"the number of snakes is {len(position.snakes)}, in the match {snakes}")
    if position.ruleset.name != rules.ruleset:
        raise ValueError(f"ruleset {position.ruleset.name} in a match of {rules.ruleset}")


def _start(position: Position) -> Start:
    return Start(
        turn=position.turn,
        bodies=tuple(snake.body for snake in position.snakes),
        health=tuple(snake.health for snake in position.snakes),
        food=position.food,
        hazards=position.hazards,
    )
