"""The boards of a game: set up and updated by the map of the match, which is found by its name."""

import importlib
import pkgutil
from functools import cache
from typing import Protocol

from arena.games import maps
from arena.games.maps import BoardUpdate
from arena.records.model import Rules, Start
from searcher.engine.position import Position

DEFAULT_MAP = "standard"

_ROYALE = "royale"
"""The ruleset under which hazards close in on any map, and the map on which they do under any rules."""


class GameMap(Protocol):
    """A module of arena.games.maps, whose docstring has the contract."""

    def set_up_board(self, rules: Rules, snakes: int, seed: int) -> Start:
        """Return the board of turn 0. Raises ValueError if there is no room for so many snakes."""

    def update_board(self, rules: Rules, position: Position, seed: int) -> BoardUpdate:
        """Return what the map changes after a turn; `position` is the board after that turn."""


def map_names() -> tuple[str, ...]:
    """Return the names of all maps, sorted."""
    names = (module.name for module in pkgutil.iter_modules(maps.__path__))
    return tuple(sorted(name for name in names if not name.startswith("_")))


@cache
def game_map(name: str) -> GameMap:
    """Return a map by its name. Raises ValueError, naming the valid ones, if there is none."""
    if name not in map_names():
        raise ValueError(f"no map {name!r}; valid: {', '.join(map_names())}")
    module: GameMap = importlib.import_module(f"{maps.__name__}.{name}")
    return module


def default_map(ruleset: str) -> str:
    """Return the map that a ruleset is played on unless another one is chosen."""
    return _ROYALE if ruleset == _ROYALE else DEFAULT_MAP


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Return the board of turn 0. Raises ValueError if there is no room for so many snakes."""
    return game_map(rules.map).set_up_board(rules, snakes, seed)


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Return what the map changes after a turn; `position` is the board after that turn.

    Under royale's rules hazards close in on any map, unless the map itself changes them.
    """
    update = game_map(rules.map).update_board(rules, position, seed)
    if rules.ruleset == _ROYALE and update.hazards is None:
        return BoardUpdate(update.food, game_map(_ROYALE).update_board(rules, position, seed).hazards)
    return update
