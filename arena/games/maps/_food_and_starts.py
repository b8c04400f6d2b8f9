"""The official rules for the starts of snakes and for food in each turn, and the shapes of hazards.

The random numbers come from Python's generator, seeded for each use and turn.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TypeVar

from arena.games.maps import BoardUpdate
from arena.records import Cell, Rules, Start
from searcher.engine.position import MAX_HEALTH, Position

_T = TypeVar("_T")

_START_LENGTH = 3

_SMALL_SIDE = 7
"""The shortest side of a square board on which snakes and food start at fixed places."""

_MEDIUM_SIDE = 11
"""The shortest side of a square board on which every snake starts with food, for any number of snakes."""

_FEW_SNAKES = 4
"""The most snakes that start with food on smaller boards."""


def rng_for(seed: int, use: str) -> random.Random:
    """Return the generator for one use of a game's seed, such as the food of one turn."""
    return random.Random(f"{seed} {use}")


def start_heads(rules: Rules, snakes: int, rng: random.Random) -> list[Cell]:
    """Return each snake's first cell. Raises ValueError if there is no room for all snakes."""
    places = _fixed_places(rules.width, rng) if _has_fixed_places(rules) else _random_places(rules, rng)
    if len(places) < snakes:
        size = f"{rules.width}x{rules.height}"
        raise ValueError(f"a {size} board has room for {len(places)} snakes, not for {snakes}")
    return places[:snakes]


def start_food(
    rules: Rules, heads: Sequence[Cell], rng: random.Random, closed: Iterable[Cell] = ()
) -> list[Cell]:
    """Return the food of turn 0: near each head and in the centre, or anywhere on an irregular board.

    No food lies in the `closed` cells of a square board.
    """
    if not _has_fixed_places(rules):
        taken = {*heads, *neighbours(heads)}
        return _sample(
            [cell for cell in all_cells(rules.width, rules.height) if cell not in taken], len(heads), rng
        )
    food, closed = list[Cell](), set(closed)
    if len(heads) <= _FEW_SNAKES or rules.width >= _MEDIUM_SIDE:
        for head in heads:
            cells = _cells_for_food(rules, head)
            food += _sample([cell for cell in cells if cell not in closed.union(food)], 1, rng)
    return food if _centre(rules) in closed else [*food, _centre(rules)]


def start_with(heads: Iterable[Cell], food: Iterable[Cell], hazards: Iterable[Cell] = ()) -> Start:
    """Return the board of turn 0 with healthy snakes that are folded up on their first cell."""
    bodies = tuple((head,) * _START_LENGTH for head in heads)
    return Start(0, bodies, (MAX_HEALTH,) * len(bodies), tuple(food), tuple(hazards))


def new_food(rules: Rules, position: Position, seed: int, closed: Iterable[Cell] = ()) -> tuple[Cell, ...]:
    """Return the food that appears after a turn: the pieces missing to the minimum, or one piece by chance.

    No food appears in the `closed` cells.
    """
    rng = rng_for(seed, f"food {position.turn}")
    missing = rules.minimum_food - len(position.food)
    if missing > 0:
        return tuple(_sample(_open_cells(position, closed), missing, rng))
    # The official engine draws like this: a chance of 15 means 14 in 100.
    if 100 - rng.randrange(100) < rules.food_spawn_chance:
        return tuple(_sample(_open_cells(position, closed), 1, rng))
    return ()


def cells_near_heads(position: Position) -> set[Cell]:
    """Return the four neighbours of every head, on the board or not."""
    return set(neighbours(snake.body[0] for snake in position.snakes))


def cells_of_snakes(position: Position) -> set[Cell]:
    """Return all cells of bodies."""
    return {part for snake in position.snakes for part in snake.body}


def all_cells(width: int, height: int) -> list[Cell]:
    """Return all cells of a board, column by column."""
    return list(product(range(width), range(height)))


def neighbours(cells: Iterable[Cell]) -> list[Cell]:
    """Return the four neighbours of each cell, on the board or not."""
    return [(x + dx, y + dy) for x, y in cells for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))]


def _has_fixed_places(rules: Rules) -> bool:
    return rules.width == rules.height >= _SMALL_SIDE


def _fixed_places(side: int, rng: random.Random) -> list[Cell]:
    """Return the cells next to corners and the cells next to middles of sides, one group after the other."""
    low, middle, high = 1, (side - 1) // 2, side - 2
    corners = list(product((low, high), (low, high)))
    sides = [(low, middle), (middle, low), (middle, high), (high, middle)]
    groups: list[list[Cell]] = [_shuffled(corners, rng), _shuffled(sides, rng)]
    return [place for group in _shuffled(groups, rng) for place in group]


def _random_places(rules: Rules, rng: random.Random) -> list[Cell]:
    """Return the cells of one checkerboard colour, so that all snakes start an even number of steps apart."""
    cells = all_cells(rules.width, rules.height)
    return _shuffled([(x, y) for x, y in cells if (x + y) % 2 == 0 and (x, y) != _centre(rules)], rng)


def _cells_for_food(rules: Rules, head: Cell) -> list[Cell]:
    """Return where a snake's own food may lie: diagonally from its head, not inwards, not in a corner."""
    diagonal = [(head[0] + dx, head[1] + dy) for dx, dy in product((-1, 1), (-1, 1))]
    outward = [cell for cell in diagonal if _leads_outward(cell, head, _centre(rules))]
    return [cell for cell in outward if not _is_corner(cell, rules)]


def _leads_outward(cell: Cell, head: Cell, centre: Cell) -> bool:
    """Return whether a cell is farther from the centre than the head, along x or along y."""
    return any(
        cell[axis] < head[axis] < centre[axis] or centre[axis] < head[axis] < cell[axis] for axis in (0, 1)
    )


def _centre(rules: Rules) -> Cell:
    return (rules.width - 1) // 2, (rules.height - 1) // 2


def _is_corner(cell: Cell, rules: Rules) -> bool:
    return cell[0] in (0, rules.width - 1) and cell[1] in (0, rules.height - 1)


def _open_cells(position: Position, closed: Iterable[Cell]) -> list[Cell]:
    """Return the cells where food may appear: free of food and bodies, not next to a head, and not closed."""
    taken = {*position.food, *cells_of_snakes(position), *cells_near_heads(position), *closed}
    return [cell for cell in all_cells(position.width, position.height) if cell not in taken]


def _sample(cells: Sequence[Cell], count: int, rng: random.Random) -> list[Cell]:
    return rng.sample(cells, min(count, len(cells)))


def _shuffled(values: Sequence[_T], rng: random.Random) -> list[_T]:
    return rng.sample(values, len(values))


def on_board(cells: Iterable[Cell], rules: Rules) -> tuple[Cell, ...]:
    """Return the cells that lie on the board."""
    return tuple((x, y) for x, y in cells if 0 <= x < rules.width and 0 <= y < rules.height)


def frame(rules: Rules, inset: int) -> list[Cell]:
    """Return the rectangle of cells at this distance from the edge of the board."""
    columns, rows = range(inset, rules.width - inset), range(inset, rules.height - inset)
    inner = {(x, y) for x in columns[1:-1] for y in rows[1:-1]}
    return [(x, y) for x in columns for y in rows if (x, y) not in inner]


def ring(centre: Cell, distance: int) -> list[Cell]:
    """Return the ring of cells around a centre, on the board or not, clockwise to the upper left corner."""
    x, y = centre
    along = range(-distance + 1, distance + 1)
    top = [(x + step, y + distance) for step in along]
    right = [(x + distance, y - step) for step in along]
    bottom = [(x - step, y - distance) for step in along]
    left = [(x - distance, y + step) for step in along]
    return [*top, *right, *bottom, *left]


def rings(centre: Cell, rules: Rules) -> Iterator[list[Cell]]:
    """Yield the rings around a centre from distance 1 on, far enough to reach every cell of the board."""
    yield from (ring(centre, distance) for distance in range(1, max(rules.width, rules.height)))


def random_centre(rules: Rules, margin: int, rng: random.Random) -> Cell:
    """Return a random cell with at least `margin` cells left and below, and `margin - 1` right and above."""
    width, height = (max(margin, side - margin) for side in (rules.width, rules.height))
    return rng.randint(margin, width), rng.randint(margin, height)


def grow(rules: Rules, position: Position, seed: int, cells: Iterable[Cell]) -> BoardUpdate:
    """Add food as on the map "standard". Turn the cells into hazards, if on the board."""
    added = on_board(cells, rules)
    return BoardUpdate(new_food(rules, position, seed), position.hazards + added if added else None)
