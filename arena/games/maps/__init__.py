"""Game maps: where snakes, food and hazards start and appear. One file here is one map, found by its name.

The file may lie in any folder here. The folder is not part of the name. As in the official rules, a map sets
up the board and updates it after each turn. Its file has

    set_up_board(rules, snakes, seed) -> Start

which returns the board of turn 0, or raises ValueError if the board has no room for so many snakes, and

    update_board(rules, position, seed) -> BoardUpdate

which returns the changes of the map after a turn; `position` is the board after that turn. Both may depend
only on their arguments, because every game of a block must have the same board. If one of them is missing,
the map has the function of `standard.py`. The file may also have

    SIZES: the only sizes of board, as (width, height), the default one first
    MOST_SNAKES: the largest number of snakes

Constrictor's rules remove the food of turn 0 on every map.

A module whose name starts with an underscore is not a map: it holds code that maps share. Maps import
arena.records and searcher.engine.position.
"""

from dataclasses import dataclass

from arena.records import Cell, Start


@dataclass(frozen=True, slots=True)
class BoardUpdate:
    """The changes that a map makes after a turn."""

    food: tuple[Cell, ...] = ()
    """The food that appears."""
    hazards: tuple[Cell, ...] | None = None
    """All hazards from now on, or None if they stay the same. A cell that is listed k times has k layers.

    Hazards off the board have no effect, but the next update receives them.
    """
    restart: Start | None = None
    """The board with which the game continues while all snakes are alive, or None for the present board."""
