"""The official map "hz_grow_box": hazards grow from a random cell to a box, on one random side at a time."""

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import grow, random_centre, rng_for
from arena.records import Cell, Rules
from searcher.engine.position import Position

_EVERY = 12
"""Turns between two steps. The first step is after turn 1."""


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food, and a line of hazards along one side of the box."""
    steps, rest = divmod(position.turn, _EVERY)
    return grow(rules, position, seed, _line(rules, seed, steps) if rest == 1 else ())


def _line(rules: Rules, seed: int, steps: int) -> list[Cell]:
    """Return the cells that the box gains in its last step."""
    rng = rng_for(seed, "hazards")
    line = box = [random_centre(rules, 2, rng)]
    for _ in range(steps):
        lines = _lines_around(rules, box)
        if not lines:
            return []
        line = rng.choice(lines)
        box = box + line
    return line


def _lines_around(rules: Rules, box: list[Cell]) -> list[list[Cell]]:
    """Return the lines of cells next to the sides of a box that are not at the edge of the board."""
    low, high = (tuple(map(end, zip(*box, strict=True))) for end in (min, max))
    columns, rows = range(low[0], high[0] + 1), range(low[1], high[1] + 1)
    beside = [(x, rows) for x in (low[0] - 1, high[0] + 1) if 0 <= x < rules.width]
    above = [(y, columns) for y in (low[1] - 1, high[1] + 1) if 0 <= y < rules.height]
    return [[(x, y) for y in ys] for x, ys in beside] + [[(x, y) for x in xs] for y, xs in above]
