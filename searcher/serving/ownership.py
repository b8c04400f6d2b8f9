"""The ownership of cells: the snake that reaches each cell first."""

import math
from collections import defaultdict

from searcher.engine.position import Point, Position

NOBODY = 0
"""The owner of a cell that no snake reaches, or that equally long snakes reach in the same turn."""

_STEPS = (0, 1), (0, -1), (-1, 0), (1, 0)


def owners(position: Position) -> list[int]:
    """Return the number of each cell's owner, from 1, row by row from the bottom left.

    A snake next to a body enters a cell of the body in the turn in which its part has moved on.
    """
    frees_at = _free_times(position)
    found = {snake.body[0]: {number} for number, snake in enumerate(position.snakes, 1)}
    edge, turn = found, 0
    reached: defaultdict[float, defaultdict[Point, set[int]]] = defaultdict(lambda: defaultdict(set))
    while edge or any(later < math.inf for later in reached):
        turn += 1
        for cell, numbers in edge.items():
            for near in _near(position, cell):
                reached[max(turn, frees_at.get(near, 0))][near] |= numbers
        entered = reached.pop(turn, defaultdict[Point, set[int]]())
        edge = {cell: _longest(position, entered[cell]) for cell in entered.keys() - found.keys()}
        found = found | edge
    cells = (found.get((x, y), set()) for y in range(position.height) for x in range(position.width))
    return [next(iter(numbers)) if len(numbers) == 1 else NOBODY for numbers in cells]


def _free_times(position: Position) -> dict[Point, float]:
    """Return the turn in which each cell of a body becomes free. Bodies of constrictors stay."""
    times: dict[Point, float] = {}
    for snake in position.snakes:
        for index, part in enumerate(snake.body):
            # Parts that have yet to unfold lie on the tail's cell, and the first of them leaves last.
            times.setdefault(part, math.inf if position.ruleset.constrictor else len(snake.body) - index)
    return times


def _near(position: Position, cell: Point) -> list[Point]:
    cells = [(cell[0] + x, cell[1] + y) for x, y in _STEPS]
    if position.ruleset.wrapped:
        return [(x % position.width, y % position.height) for x, y in cells]
    return [(x, y) for x, y in cells if 0 <= x < position.width and 0 <= y < position.height]


def _longest(position: Position, numbers: set[int]) -> set[int]:
    """Return the longest of the snakes that reach a cell in the same turn."""
    lengths = {number: len(position.snakes[number - 1].body) for number in numbers}
    most = max(lengths.values())
    return {number for number, length in lengths.items() if length == most}
