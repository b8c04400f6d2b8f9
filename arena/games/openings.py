"""Books of openings: positions to start games from, one /move body per line."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import msgspec

from arena.games.boards import replayed
from arena.records import Cell, Game, Match, Rules, Start
from searcher.engine.position import Position
from searcher.errors import InvalidRequestError
from searcher.positions import move_body
from searcher.positions.move_body import MoveBody
from searcher.serving.move_body_check import checked_task

TURNS_LEFT = 10
"""A game must last this many turns after its opening, because a decided position compares no snakes."""


@dataclass(frozen=True, slots=True)
class Book:
    """Openings, and a digest that identifies them when a match is resumed."""

    starts: tuple[Start, ...]
    digest: str


def read_book(path: Path, rules: Rules, snakes: int) -> Book:
    """Return a file's openings. Raises ValueError, naming the line, if the match can't use an opening."""
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
        raise ValueError(f"{path.name}: the file has no openings")
    return Book(tuple(starts), hashlib.sha256(content).hexdigest()[:16])


LARGEST_SCORE = 0.3
"""The largest abs(score) of an undecided position. A certain win has the score 1."""


def openings_in(match: Match, turn: int, most: float = LARGEST_SCORE) -> Iterator[Position]:
    """Yield the position at a turn of each block's first game, if it is undecided and all snakes are alive.

    `most` is the largest abs(score), from 0 to 1, that a player may report for that turn.
    """
    for block in match.blocks:
        game = block.games[0]
        if _is_open(game, turn, most):
            yield position_after(match.setup.rules, game, turn)


def position_after(rules: Rules, game: Game, turns: int) -> Position:
    """Return the position after this number of turns of a game."""
    return next(islice(replayed(rules, game), turns, None))


def write_book(path: Path, positions: Iterable[Position]) -> int:
    """Write a book, and return its number of openings. Raises OSError if the file can't be written."""
    lines = [msgspec.json.encode(_body(position)) + b"\n" for position in positions]
    path.write_bytes(b"".join(lines))
    return len(lines)


def _is_open(game: Game, turn: int, most: float) -> bool:
    if len(game.turns) < turn + TURNS_LEFT or any(death and death.turn <= turn for death in game.deaths):
        return False
    return all(decision and abs(decision.score or 0.0) <= most for decision in game.turns[turn].decisions)


def _body(position: Position) -> MoveBody:
    settings = move_body.Settings(hazard_damage_per_turn=position.ruleset.hazard_damage)
    return MoveBody(
        game=move_body.Game(move_body.RecordedRuleset(position.ruleset.name, settings)),
        turn=position.turn,
        board=move_body.BoardState(
            width=position.width,
            height=position.height,
            snakes=[
                move_body.RecordedSnake(snake.id, snake.health, _cells(snake.body))
                for snake in position.snakes
            ],
            food=_cells(position.food),
            hazards=_cells(position.hazards),
        ),
        you=move_body.You(position.snakes[0].id),
    )


def _cells(points: Iterable[Cell]) -> list[move_body.Cell]:
    return [move_body.Cell(x, y) for x, y in points]


def _check_fits(position: Position, rules: Rules, snakes: int) -> None:
    if (position.width, position.height) != (rules.width, rules.height):
        board = f"{position.width}x{position.height}"
        raise ValueError(f"a {board} board in a match on {rules.width}x{rules.height}")
    if len(position.snakes) != snakes:
        raise ValueError(f"the number of snakes is {len(position.snakes)}, but the match has {snakes}")
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
