"""The check of the compiled rules against recorded turns of the official engine.

A file has one turn per line, as JSON: `before`, `moves` by snake id, `after`, `eliminated` with cause, by
and turn, `game_over`. The rules conform if bodies, health, food, deaths and causes are all the same.
"""

import gzip
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from battlesnake_search.board import Board, Settings
from searcher.engine.live_board import Death, LiveGame
from searcher.engine.position import Direction, Position, Ruleset, Snake
from searcher.positions.move_body import decode_lines, points_of, position_on
from searcher.precompile.code_units import turn_code_for
from searcher.precompile.prepare import prepare_code


class State(Board, frozen=True, kw_only=True):
    """The board before or after a turn."""

    turn: int


class TransitionSettings(Settings, frozen=True):
    """The settings of a game, and whether the game goes on with one snake."""

    solo: bool = False


class Elimination(msgspec.Struct):
    """The death of a snake. `by` is an id, or empty."""

    cause: str
    by: str
    turn: int


class Transition(msgspec.Struct):
    """One recorded turn."""

    ruleset: str
    settings: TransitionSettings
    before: State
    moves: dict[str, str]
    after: State
    eliminated: dict[str, Elimination]
    game_over: bool


def read_transitions(path: Path) -> list[Transition]:
    """Return the turns of a file, gzipped or not. Raises ValueError, with the line, for a bad turn."""
    return decode_lines(path.name, _content(path), Transition)


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix != ".gz":
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path.name}: {error}") from None


def prepare(transitions: Iterable[Transition]) -> None:
    """Compile the rules for all boards of the turns, with progress."""
    prepare_code(turn_code_for(position_of(transition)) for transition in transitions)


def differences(transition: Transition) -> list[str]:
    """Return the differences of the compiled rules from the recorded turn, empty if there are none."""
    game = LiveGame(position_of(transition))
    before = game.position
    moves = {snake.id: _direction(transition.moves.get(snake.id), snake, before) for snake in before.snakes}
    fell = game.play(moves)
    ours = _outcome(before, game, fell, transition.settings.solo)
    theirs = _recorded_outcome(transition)
    return [
        f"{name}: {ours[name]} instead of {theirs[name]}" for name in theirs if ours[name] != theirs[name]
    ]


def position_of(transition: Transition) -> Position:
    """Return the position before the turn."""
    ruleset = Ruleset(transition.ruleset, transition.settings.hazard_damage_per_turn)
    return position_on(transition.before, ruleset, turn=transition.before.turn)


def _direction(name: str | None, snake: Snake, position: Position) -> Direction:
    """Return the move of that name, or for any other name the official engine's default, straight on."""
    if name is not None and name.upper() in Direction.__members__ and name.islower():
        return Direction[name.upper()]
    head, neck = snake.body[0], snake.body[min(1, len(snake.body) - 1)]
    dx, dy = head[0] - neck[0], head[1] - neck[1]
    if abs(dx) + abs(dy) > 1:
        dx, dy = -dx, -dy
    if dx:
        return Direction.RIGHT if dx > 0 else Direction.LEFT
    return Direction.DOWN if dy < 0 else Direction.UP


def _outcome(before: Position, game: LiveGame, fell: Mapping[str, Death], solo: bool) -> dict[str, Any]:
    after = game.position
    return {
        "snakes": {snake.id: (snake.health, snake.body) for snake in after.snakes},
        "food": set(after.food),
        "game over": game.is_over(solo),
        "eliminated": {
            id_: (death.cause, "" if death.by is None else before.snakes[death.by].id, after.turn)
            for id_, death in fell.items()
        },
    }


def _recorded_outcome(transition: Transition) -> dict[str, Any]:
    return {
        "snakes": {snake.id: (snake.health, points_of(snake.body)) for snake in transition.after.snakes},
        "food": set(points_of(transition.after.food)),
        "game over": transition.game_over,
        "eliminated": {
            name: (death.cause, death.by, death.turn) for name, death in transition.eliminated.items()
        },
    }
