"""Game maps: where snakes, food and hazards start and appear. One file here is one map, found by its name.

As in the official rules, a map sets up the board and updates it after each turn. Its file has

    set_up_board(rules, snakes, seed) -> Start

which returns the board of turn 0, or raises ValueError if the board has no room for so many snakes, and

    update_board(rules, position, seed) -> BoardUpdate

which returns what the map changes after a turn; `position` is the board after that turn. Both may depend on
nothing but their arguments, since every game of a block must have the same board.

A module whose name starts with an underscore is not a map; it holds what maps share. Imports arena.records
and searcher.engine.position.
"""

from dataclasses import dataclass

from arena.records.model import Cell


@dataclass(frozen=True, slots=True)
class BoardUpdate:
    """What a map changes after a turn."""

    food: tuple[Cell, ...] = ()
    """The food that appears."""
    hazards: tuple[Cell, ...] | None = None
    """All hazards from now on, a cell given k times having k layers; None: unchanged."""
