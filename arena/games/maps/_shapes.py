"""Sets of cells that hazards take the shape of."""

import random
from collections.abc import Iterable, Iterator

from arena.records.model import Cell, Rules


def on_board(cells: Iterable[Cell], rules: Rules) -> tuple[Cell, ...]:
    """Return the cells that lie on the board."""
    return tuple((x, y) for x, y in cells if 0 <= x < rules.width and 0 <= y < rules.height)


def frame(rules: Rules, inset: int) -> list[Cell]:
    """Return the rectangle of cells at this distance from the edge of the board."""
    columns, rows = range(inset, rules.width - inset), range(inset, rules.height - inset)
    inner = {(x, y) for x in columns[1:-1] for y in rows[1:-1]}
    return [(x, y) for x in columns for y in rows if (x, y) not in inner]


def ring(centre: Cell, distance: int) -> list[Cell]:
    """Return a square of cells around a centre, on the board or not, clockwise to its upper left corner."""
    x, y = centre
    along = range(-distance + 1, distance + 1)
    top = [(x + step, y + distance) for step in along]
    right = [(x + distance, y - step) for step in along]
    bottom = [(x - step, y - distance) for step in along]
    left = [(x - distance, y + step) for step in along]
    return [*top, *right, *bottom, *left]


def rings(centre: Cell, rules: Rules) -> Iterator[list[Cell]]:
    """Yield the rings around a centre outwards, at least all that have a cell on the board."""
    yield from (ring(centre, distance) for distance in range(1, max(rules.width, rules.height)))


def random_centre(rules: Rules, margin: int, rng: random.Random) -> Cell:
    """Return a random cell with at least `margin` cells to its left and below it, elsewhere one less."""
    width, height = (max(margin, side - margin) for side in (rules.width, rules.height))
    return rng.randint(margin, width), rng.randint(margin, height)
