"""The boards of a game: set up and updated by the match's map, or played again from a record."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple, cast

import msgspec

from arena.games import maps
from arena.games.maps import BoardUpdate, royale, standard
from arena.records import Cell, Game, Match, Move, Rules, Start, Turn
from searcher.engine.live_board import Death, LiveGame
from searcher.engine.position import MAX_HEALTH, Direction, Position, Ruleset, Snake, ruleset_on
from searcher.engine.rules.records import STEPS
from searcher.precompile.code_units import turn_code_for
from searcher.precompile.prepare import prepare_code

DEFAULT_MAP = "standard"

_DEFAULT_SIZE = (11, 11)

_ROYALE = "royale"
"""The ruleset under which hazards close in on any map, and the map on which they do under any rules."""


class GameMap(NamedTuple):
    """A map. The docstring of arena.games.maps has the contract of its module."""

    set_up_board: Callable[[Rules, int, int], Start]
    update_board: Callable[[Rules, Position, int], BoardUpdate]
    sizes: tuple[tuple[int, int], ...]
    """The allowed board sizes as (width, height); empty if all are allowed."""
    most_snakes: int | None
    """The largest number of snakes that the map has starts for, or None if that depends on the board."""


def map_names() -> tuple[str, ...]:
    """Return the names of all maps, sorted."""
    return tuple(sorted(_modules()))


@cache
def game_map(name: str) -> GameMap:
    """Return a map by its name. Raises ValueError, naming the valid names, for an unknown name."""
    modules = _modules()
    if name not in modules:
        raise ValueError(f"no map {name!r}; valid: {', '.join(map_names())}")
    module = importlib.import_module(modules[name])
    return GameMap(
        getattr(module, "set_up_board", standard.set_up_board),
        getattr(module, "update_board", standard.update_board),
        getattr(module, "SIZES", ()),
        getattr(module, "MOST_SNAKES", None),
    )


def default_map(ruleset: str) -> str:
    """Return a ruleset's default map."""
    return _ROYALE if ruleset == _ROYALE else DEFAULT_MAP


def default_size(name: str) -> tuple[int, int]:
    """Return the default width and height of a map's board."""
    return next(iter(game_map(name).sizes), _DEFAULT_SIZE)


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Return the board of turn 0.

    Raises ValueError, naming the valid values, if the map refuses the size or the number of snakes.
    """
    _check(rules, snakes)
    start = game_map(rules.map).set_up_board(rules, snakes, seed)
    return msgspec.structs.replace(start, food=()) if Ruleset(rules.ruleset).constrictor else start


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Return the changes of the map after a turn; `position` is the board after that turn.

    Under royale's rules hazards close in on any map. If another map places hazards, these rules remove them a
    turn later.
    """
    played = game_map(rules.map)
    if rules.ruleset != _ROYALE or rules.map == _ROYALE:
        return played.update_board(rules, position, seed)
    closed = royale.closed_cells(rules, position.turn, seed)
    update = played.update_board(rules, replace(position, hazards=closed), seed)
    if update.restart is not None:
        return update
    hazards = closed if update.hazards is None else update.hazards
    return replace(update, hazards=None if hazards == position.hazards else hazards)


def _modules() -> dict[str, str]:
    """Return the modules of all maps by the maps' names."""
    modules = pkgutil.walk_packages(maps.__path__, f"{maps.__name__}.")
    names = {module.name.rpartition(".")[2]: module.name for module in modules if not module.ispkg}
    return {name: module for name, module in names.items() if not name.startswith("_")}


def _check(rules: Rules, snakes: int) -> None:
    size, valid = (rules.width, rules.height), game_map(rules.map).sizes
    if valid and size not in valid:
        listed = ", ".join(f"{width}x{height}" for width, height in valid)
        raise ValueError(f"no board of {size[0]}x{size[1]} on the map {rules.map}; valid: {listed}")
    most = game_map(rules.map).most_snakes
    if most is not None and snakes > most:
        raise ValueError(f"the map {rules.map} has room for at most {most}, not for {snakes} snakes")


def move_word(direction: Direction) -> Move:
    """Return a direction as the word that records and the API use."""
    return cast(Move, direction.name.lower())


def direction_of(move: Move) -> Direction:
    """Return the direction of a recorded move."""
    return Direction[move.upper()]


def position_at(rules: Rules, start: Start) -> Position:
    """Return the position that a game starts from. Its snakes are named by their index."""
    return Position(
        width=rules.width,
        height=rules.height,
        snakes=tuple(
            Snake(str(index), health, body)
            for index, (health, body) in enumerate(zip(start.health, start.bodies, strict=True))
        ),
        food=start.food,
        hazards=start.hazards,
        turn=start.turn,
        ruleset=ruleset_on(rules.map, rules.ruleset, rules.hazard_damage, rules.shrink_every),
    )


class BoardInPlay:
    """The board of a game, turn by turn: `position` is the board after the rules and the map."""

    def __init__(self, rules: Rules, start: Start) -> None:
        self._rules = rules
        self.position = position_at(rules, start)
        self._live = LiveGame(self.position)

    def play(self, moves: Mapping[str, Direction]) -> dict[str, Death]:
        """Play the moves of all living snakes, by id. Return the deaths of the turn, by id."""
        before = self.position
        deaths = self._live.play(moves)
        left = set(self._live.position.food)
        food = tuple(cell for cell in before.food if cell in left)
        self.position = replace(self._live.position, food=food, hazards=before.hazards)
        return deaths

    def update(self, update: BoardUpdate) -> None:
        """Make the changes of the map."""
        if update.restart is not None:
            self.position = position_at(self._rules, update.restart)
            self._live = LiveGame(self.position)
            return
        self.position = changed(self.position, update)
        self._live.change(update.food, hazards_on_board(self.position))

    def end(self, seed: int) -> None:
        """Pass the turn in which the official engine finds that the game is over.

        The rules change nothing then, but the map does.
        """
        last = replace(self.position, turn=self.position.turn + 1)
        self.position = changed(last, game_map(self._rules.map).update_board(self._rules, last, seed))


def changed(position: Position, update: BoardUpdate) -> Position:
    """Return a position with the food and the hazards of an update."""
    hazards = position.hazards if update.hazards is None else update.hazards
    return replace(position, food=(*position.food, *update.food), hazards=hazards)


def moved(position: Position, snake: Snake, move: Direction) -> Snake:
    """Return a snake of the position as the rules have moved, hurt and fed it, be it alive or dead then.

    The rules find the dead only after that, and constrictor's growth includes them.
    """
    x, y = (at + step for at, step in zip(snake.body[0], STEPS[move], strict=True))
    head = (x % position.width, y % position.height) if position.ruleset.wrapped else (x, y)
    body, harm = (head, *snake.body[:-1]), 1 + position.hazards.count(head) * position.ruleset.hazard_damage
    health = min(max(snake.health - harm, 0), MAX_HEALTH)
    if head in position.food:
        body, health = (*body, body[-1]), MAX_HEALTH
    if position.ruleset.constrictor:
        body, health = body if body[-1:] == body[-2:-1] else (*body, body[-1]), MAX_HEALTH
    return Snake(snake.id, health, body)


def hazards_on_board(position: Position) -> tuple[Cell, ...]:
    """Return the hazards that have an effect: they lie on the board."""
    width, height = position.width, position.height
    return tuple((x, y) for x, y in position.hazards if 0 <= x < width and 0 <= y < height)


def prepare_replays(match: Match) -> None:
    """Compile the code of `replayed` for the games of a match, with progress."""
    # The games of a match have the same size of board and the same number of snakes.
    games = [game for block in match.blocks[:1] for game in block.games[:1]]
    prepare_code(turn_code_for(position_at(match.setup.rules, game.start)) for game in games)


def replayed(rules: Rules, game: Game) -> Iterator[Position]:
    """Yield the position before each turn of a game, then the position at its end."""
    board = BoardInPlay(rules, game.start)
    yield board.position
    for turn in game.turns:
        board.play(moves_in(turn))
        board.update(BoardUpdate(turn.food, turn.hazards, turn.restart))
        yield board.position


def moves_in(turn: Turn) -> dict[str, Direction]:
    """Return the moves of a turn by the snake's id."""
    return {
        str(snake): direction_of(decision.move)
        for snake, decision in enumerate(turn.decisions)
        if decision is not None
    }
