"""What maps with growing hazards share."""

from collections.abc import Iterable

from arena.games.maps import BoardUpdate
from arena.games.maps._placement import new_food
from arena.games.maps._shapes import on_board
from arena.records.model import Cell, Rules
from searcher.engine.position import Position


def grow(rules: Rules, position: Position, seed: int, cells: Iterable[Cell]) -> BoardUpdate:
    """Add food as on the map "standard", and those of the cells that lie on the board to the hazards."""
    added = on_board(cells, rules)
    return BoardUpdate(new_food(rules, position, seed), position.hazards + added if added else None)
