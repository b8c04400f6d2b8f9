"""Rules of short games on boards of any size, and the cells of a board."""

from itertools import product

import msgspec

from arena.games import boards
from arena.records import Cell, Rules
from searcher.engine.position import Position
from tests.arena.setups import SMALL


def rules_of(**fields: object) -> Rules:
    """The rules of short games, with some fields changed."""
    return msgspec.structs.replace(SMALL, **fields)


def square(side: int, **fields: object) -> Rules:
    """The rules of short games on a square board."""
    return rules_of(width=side, height=side, **fields)


def cells_of(width: int, height: int) -> set[Cell]:
    """All cells of a board."""
    return set(product(range(width), range(height)))


def neighbours(cell: Cell) -> set[Cell]:
    """The four cells next to a cell, on the board or not."""
    x, y = cell
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def hazards_after(rules: Rules, position: Position, seed: int) -> tuple[Cell, ...]:
    """All hazards after the map's update."""
    changed = boards.update_board(rules, position, seed).hazards
    return position.hazards if changed is None else changed
