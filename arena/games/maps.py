"""Where snakes, food and hazards begin and appear: what the official engine's maps do, by its rules.

There are three of its maps, by their official names. standard: food appears by chance, and whenever there is
too little. royale: likewise, and hazards close in from the sides. empty: nothing appears.

The numbers come from Python's generator, seeded for each turn, so that the games of a block meet the same
luck as long as they go the same way.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import TypeVar

from arena.records import Cell, Rules, Start
from searcher.engine.position import MAX_HEALTH, Position, closes_in

_T = TypeVar("_T")

_START_LENGTH = 3

_SMALL = 7
"""The shortest side of a square board on which snakes and food have fixed places to start in."""

_MEDIUM = 11
"""The shortest side of a square board on which every snake has food of its own, however many there are."""

_FEW = 4
"""Snakes that have food of their own on boards smaller than that."""

_SIDES: tuple[tuple[int, Callable[[Iterable[int]], int]], ...] = ((0, min), (0, max), (1, min), (1, max))
"""The sides that hazards close in from: the axis, and which end of it."""


def start(rules: Rules, snakes: int, seed: int) -> Start:
    """The board of turn 0. Raises ValueError if there is no room for so many snakes."""
    dice = _dice(seed, "start")
    heads = _heads(rules, snakes, dice)
    constrictor = rules.ruleset.endswith("constrictor")
    return Start(
        turn=0,
        bodies=tuple((head,) * _START_LENGTH for head in heads),
        health=(MAX_HEALTH,) * snakes,
        food=() if constrictor or rules.map == "empty" else tuple(_first_food(rules, heads, dice)),
    )


def new_food(rules: Rules, position: Position, seed: int) -> tuple[Cell, ...]:
    """The food that appears after a turn; `position` is the one after it."""
    if rules.map == "empty":
        return ()
    dice = _dice(seed, f"food {position.turn}")
    missing = rules.minimum_food - len(position.food)
    if missing > 0:
        return tuple(_some(_open_cells(position), missing, dice))
    # As the official engine draws it, a chance of 15 is one of 14 in 100.
    if 100 - dice.randrange(100) < rules.food_spawn_chance:
        return tuple(_some(_open_cells(position), 1, dice))
    return ()


def new_hazards(rules: Rules, position: Position, seed: int) -> tuple[Cell, ...]:
    """The hazards that appear after a turn; `position` is the one after it.

    In royale, at every so many turns, one side of the rectangle without hazards: as the official engine has
    it, under the royale map by any rules and by royale's rules on any map.
    """
    closing = closes_in(rules.ruleset, rules.map) and rules.shrink_every
    free = set(_cells(rules.width, rules.height)) - set(position.hazards)
    if not closing or position.turn % rules.shrink_every or not free:
        return ()
    axis, end = _dice(seed, f"royale {position.turn}").choice(_SIDES)
    line = end(cell[axis] for cell in free)
    return tuple(sorted(cell for cell in free if cell[axis] == line))


def _heads(rules: Rules, snakes: int, dice: random.Random) -> list[Cell]:
    places = _fixed_places(rules.width, dice) if _is_fixed(rules) else _random_places(rules, dice)
    if len(places) < snakes:
        size = f"{rules.width}x{rules.height}"
        raise ValueError(f"a {size} board has room for {len(places)} snakes, not for {snakes}")
    return places[:snakes]


def _is_fixed(rules: Rules) -> bool:
    return rules.width == rules.height >= _SMALL


def _fixed_places(side: int, dice: random.Random) -> list[Cell]:
    """Next to the corners, and to the middles of the sides, one group after the other."""
    low, middle, high = 1, (side - 1) // 2, side - 2
    corners = list(product((low, high), (low, high)))
    sides = [(low, middle), (middle, low), (middle, high), (high, middle)]
    groups: list[list[Cell]] = [_shuffled(corners, dice), _shuffled(sides, dice)]
    return [place for group in _shuffled(groups, dice) for place in group]


def _random_places(rules: Rules, dice: random.Random) -> list[Cell]:
    """Cells of one colour of a chessboard, so that all snakes are an even distance apart."""
    cells = _cells(rules.width, rules.height)
    return _shuffled([(x, y) for x, y in cells if (x + y) % 2 == 0 and (x, y) != _centre(rules)], dice)


def _first_food(rules: Rules, heads: Sequence[Cell], dice: random.Random) -> list[Cell]:
    if not _is_fixed(rules):
        taken = {*heads, *_beside(heads)}
        return _some(
            [cell for cell in _cells(rules.width, rules.height) if cell not in taken], len(heads), dice
        )
    food: list[Cell] = []
    if len(heads) <= _FEW or rules.width >= _MEDIUM:
        for head in heads:
            food += _some([cell for cell in _near_food(rules, head) if cell not in food], 1, dice)
    return [*food, _centre(rules)]


def _near_food(rules: Rules, head: Cell) -> list[Cell]:
    """Where a snake may get food of its own: diagonally from its head, not inwards, not in a corner."""
    diagonal = [(head[0] + dx, head[1] + dy) for dx, dy in product((-1, 1), (-1, 1))]
    outward = [cell for cell in diagonal if _leads_outward(cell, head, _centre(rules))]
    return [cell for cell in outward if not _is_corner(cell, rules)]


def _leads_outward(cell: Cell, head: Cell, centre: Cell) -> bool:
    """Whether a cell is farther from the centre than the head, along x or along y."""
    return any(
        cell[axis] < head[axis] < centre[axis] or centre[axis] < head[axis] < cell[axis] for axis in (0, 1)
    )


def _centre(rules: Rules) -> Cell:
    return (rules.width - 1) // 2, (rules.height - 1) // 2


def _is_corner(cell: Cell, rules: Rules) -> bool:
    return cell[0] in (0, rules.width - 1) and cell[1] in (0, rules.height - 1)


def _open_cells(position: Position) -> list[Cell]:
    """Where food may appear: no food, no body, not beside a head."""
    taken = {*position.food, *_beside(snake.body[0] for snake in position.snakes)}
    taken.update(part for snake in position.snakes for part in snake.body)
    return [cell for cell in _cells(position.width, position.height) if cell not in taken]


def _beside(cells: Iterable[Cell]) -> list[Cell]:
    return [(x + dx, y + dy) for x, y in cells for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))]


def _cells(width: int, height: int) -> list[Cell]:
    return list(product(range(width), range(height)))


def _some(cells: Sequence[Cell], count: int, dice: random.Random) -> list[Cell]:
    return dice.sample(cells, min(count, len(cells)))


def _shuffled(values: Sequence[_T], dice: random.Random) -> list[_T]:
    return dice.sample(values, len(values))


def _dice(seed: int, use: str) -> random.Random:
    return random.Random(f"{seed} {use}")
