"""Conversion of a position into the records of the compiled engine, and back.

It includes the geometry of the board, and the expected hazards of royale, in plain NumPy. In royale, at every
step one side of the rectangle without hazards, chosen at random, gets one more row of hazards. For given
numbers of steps along x and along y, the steps along the two axes are independent. So the axes are computed
separately, and combined by the probabilities of these numbers.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from searcher.engine.position import MAX_HEALTH, Point, Position, Snake
from searcher.engine.rules.records import (
    HORIZON,
    RING,
    STEPS,
    Packed,
    Shape,
    board_dtype,
    cell_of,
    game_dtype,
    points_in,
    points_of_cells,
    shapes_for,
    words_of,
)

_HASH_SEED = 0x5EED
_HASH_BASE = 0x9E3779B97F4A7C15


def pack(position: Position, shape: Shape | None = None) -> Packed:
    """Return the records of a position, in a shape that has room for it, by default the smallest one."""
    shape = shape or shapes_for(position)[0]
    game = _game_of_size(shape, position.width, position.height, position.ruleset.wrapped).copy()
    board = np.zeros(1, dtype=board_dtype(shape))
    _pack_game(shape, game[0], position)
    board["food"][0] = words_of(shape, position.food)
    board["bodies"][0] = words_of(shape, (part for snake in position.snakes for part in snake.body))
    for index, snake in enumerate(position.snakes):
        _pack_snake(shape, game[0], board[0], index, snake)
    return Packed(shape, game, board)


@lru_cache(maxsize=32)
def _game_of_size(shape: Shape, width: int, height: int, wrapped: bool) -> NDArray[np.void]:
    """Return a game record with only the fields of its size and its edges. They are slow to compute."""
    games = np.zeros(1, dtype=game_dtype(shape))
    game = games[0]
    on_board = _rectangle(range(width), range(height))
    game["on_board"] = words_of(shape, on_board)
    game["black"] = words_of(shape, [(x, y) for x, y in on_board if (x + y) % 2 == 0])
    if wrapped:
        game["left"] = words_of(shape, _rectangle([0], range(height)))
        game["right"] = words_of(shape, _rectangle([width - 1], range(height)))
        game["bottom"] = words_of(shape, _rectangle(range(width), [0]))
        game["top"] = words_of(shape, _rectangle(range(width), [height - 1]))
    game["across"], game["along"] = width - 1, (height - 1) * shape.stride
    game["wrapped"] = wrapped
    game["width"], game["height"], game["stride"] = width, height, shape.stride
    game["row"], game["column"] = np.divmod(np.arange(shape.cells), shape.stride)
    game["neighbours"] = _neighbours(shape, width, height, wrapped)
    game["cell_hash"], game["power"] = _hash_tables(shape.cells)
    return games


def _rectangle(columns: Iterable[int], rows: Iterable[int]) -> list[Point]:
    rows = list(rows)
    return [(x, y) for x in columns for y in rows]


def _neighbours(shape: Shape, width: int, height: int, wrapped: bool) -> NDArray[np.uint16]:
    """Return the neighbour of each cell in each direction. A wrapped board joins opposite edges."""
    off_board = shape.cells - 1
    table = np.full((shape.cells, 4), off_board, dtype=np.uint16)
    for x, y in _rectangle(range(width), range(height)):
        for direction, (dx, dy) in STEPS.items():
            target = (x + dx) % width, (y + dy) % height
            if wrapped or target == (x + dx, y + dy):
                table[cell_of(shape, (x, y)), direction] = cell_of(shape, target)
    return table


def _hash_tables(cells: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return a random number for each cell, and the powers that weight it by its place in the body."""
    generator = np.random.Generator(np.random.PCG64(_HASH_SEED))
    cell_hash = generator.integers(0, 2**64, size=cells, dtype=np.uint64)
    bases = np.full(RING, _HASH_BASE, dtype=np.uint64)
    bases[0] = 1
    return cell_hash, np.multiply.accumulate(bases)


def _pack_game(shape: Shape, game: np.void, position: Position) -> None:
    ruleset = position.ruleset
    hazards = [(x, y) for x, y in position.hazards if 0 <= x < position.width and 0 <= y < position.height]
    game["constrictor"], game["hazard_damage"] = ruleset.constrictor, ruleset.hazard_damage
    set_hazards(shape, game, hazards)
    if ruleset.trails:
        _pack_trails(shape, game, position, Counter(hazards))
    elif ruleset.shrink_every:
        _pack_closing_hazards(shape, game, position, Counter(hazards))
    game["snakes"], game["turn"] = len(position.snakes), position.turn


def set_hazards(shape: Shape, game: np.void, hazards: Iterable[Point]) -> None:
    """Make these cells of the board the hazards of a game record. A cell given k times has k layers.

    Only the hazards of the root change. The expected damage of hazards that close in later stays.
    """
    layers = Counter(hazards)
    game["hazards"] = words_of(shape, layers)
    game["damage"][0] = 0
    cells, counts = [cell_of(shape, point) for point in layers], np.array(list(layers.values()))
    game["damage"][0, cells] = _clamp_damage(game["hazard_damage"] * counts)


def _pack_closing_hazards(shape: Shape, game: np.void, position: Position, hazards: Counter[Point]) -> None:
    """Fill in the turns on which hazards close in, and the expected damage after them."""
    every, layers = position.ruleset.shrink_every, np.zeros((position.width, position.height))
    for point, count in hazards.items():
        layers[point] = count
    steps = (position.turn + np.arange(HORIZON)) // every - position.turn // every
    expected = layers + expected_layers(layers == 0, int(steps[-1]))
    eras, (x, y) = len(expected), np.indices(layers.shape)
    game["changing"], game["era"] = eras > 1, np.minimum(steps, eras - 1)
    game["damage"][:eras, y * shape.stride + x] = _clamp_damage(game["hazard_damage"] * expected)


def expected_layers(free: NDArray[np.bool_], steps: int) -> NDArray[np.float64]:
    """Return the expected layers of new hazard on each cell, by the number of steps from now and by (x, y).

    The value is the probability that the cell has become a hazard, from 0 to 1. `free`: the cells without
    hazards, by (x, y). The first index runs from 0 to `steps`, or to the step that leaves no free cell. If
    the free cells are not a rectangle, hazards stay as they are, and the result has step 0 only.
    """
    columns, rows = np.flatnonzero(free.any(axis=1)), np.flatnonzero(free.any(axis=0))
    inside = np.ix_(columns, rows)
    if not free.any() or not free[inside].all() or not _are_contiguous(columns, rows):
        return np.zeros((1, *free.shape))
    steps = min(steps, len(columns) + len(rows) - 1)
    expected = np.zeros((steps + 1, *free.shape))
    expected[:, inside[0], inside[1]] = _hazard_probabilities(len(columns), len(rows), steps)
    return expected


def _are_contiguous(*lines: NDArray[np.intp]) -> bool:
    return all(line[-1] - line[0] + 1 == len(line) for line in lines)


@lru_cache(maxsize=64)
def _hazard_probabilities(width: int, height: int, steps: int) -> NDArray[np.float64]:
    """Return the probability that a cell of a free rectangle is a hazard after 0 to `steps` steps.

    The indices of the result are the step and (x, y).
    """
    across, along = _free_probabilities(width, steps), _free_probabilities(height, steps)
    probabilities = np.empty((steps + 1, width, height))
    for step in range(steps + 1):
        splits = [comb(step, sideways) / 2**step for sideways in range(step + 1)]
        probabilities[step] = 1.0 - (across[: step + 1].T * splits) @ along[step::-1]
    return probabilities


def _free_probabilities(length: int, steps: int) -> NDArray[np.float64]:
    """Return the probability that each cell of a line is free after 0 to `steps` steps, by step and cell.

    Each step takes one cell from a random end of the line.
    """
    # `free[i, j]` is the probability for a cell that is the i-th from one end and the j-th from the other,
    # counted from 1. An index of 0 means that the cell is a hazard already.
    free = np.ones((length + 1, length + 1))
    free[0, :] = free[:, 0] = 0.0
    place = np.arange(1, length + 1)
    probabilities = np.empty((steps + 1, length))
    for step in range(steps + 1):
        probabilities[step] = free[place, place[::-1]]
        free[1:, 1:] = (free[:-1, 1:] + free[1:, :-1]) / 2
    return probabilities


def _pack_trails(shape: Shape, game: np.void, position: Position, hazards: Counter[Point]) -> None:
    """Fill in the damage of the hazards that fade, and of the trails of the bodies on the board.

    A body is expected to move on without a meal. A cell that it leaves has a layer for each of its parts on
    the next turn, and a layer less on each later turn. The trails of cells that a head enters within the
    search are left out.
    """
    turns = np.arange(shape.eras)
    layers = np.zeros((shape.eras, shape.cells))
    for point, count in hazards.items():
        layers[:, cell_of(shape, point)] += np.maximum(count - turns, 0)
    for snake in position.snakes:
        path, length = list(dict.fromkeys(snake.body)), len(snake.body)
        for left, point in enumerate(reversed(path), length - len(path) + 1):
            fading = np.maximum(length - (turns - left), 0)
            layers[:, cell_of(shape, point)] += np.where(turns >= left, fading, 0)
    game["changing"], game["era"] = True, np.minimum(np.arange(HORIZON), shape.eras - 1)
    game["damage"][:] = _clamp_damage(game["hazard_damage"] * layers)


def _clamp_damage(damage: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.rint(np.clip(damage, -MAX_HEALTH, MAX_HEALTH))


def _pack_snake(shape: Shape, game: np.void, board: np.void, index: int, snake: Snake) -> None:
    cells = [cell_of(shape, point) for point in dict.fromkeys(snake.body)]
    distinct = len(cells)
    game["ring"][index, :distinct] = cells[::-1]
    board["head"][index] = cells[0]
    board["head_at"][index], board["tail_at"][index] = distinct - 1, 0
    board["length"][index], board["health"][index] = len(snake.body), snake.health
    game["root_length"][index], game["root_head_at"][index] = len(snake.body), distinct - 1
    board["grow"][index] = len(snake.body) - distinct
    with np.errstate(over="ignore"):
        terms = game["cell_hash"][cells] * game["power"][:distinct]
    board["trail"][index] = np.add.reduce(terms)


def living(packed: Packed) -> list[int]:
    """Return the indices of the living snakes."""
    return [int(index) for index in np.flatnonzero(packed.board["health"][0] > 0)]


def is_over(packed: Packed, solo: bool) -> bool:
    """Return whether the game has ended: no snake is left, or one snake of a game that began with several."""
    return len(living(packed)) <= (0 if solo else 1)


def body_of(packed: Packed, index: int) -> tuple[Point, ...]:
    """Return a snake's body, head first. Parts yet to unfold are on the tail's cell."""
    board, points = packed.board, points_of_cells(packed.shape)
    places = range(int(board["head_at"][0, index]), int(board["tail_at"][0, index]) - 1, -1)
    parts = tuple(points[cell] for cell in ring_cells(packed, index, places))
    return parts + parts[-1:] * int(board["grow"][0, index])


def ring_cells(packed: Packed, index: int, places: range) -> list[int]:
    """Return the cells at these places of a snake's ring."""
    ring = packed.game["ring"][0, index]
    cells: list[int] = ring[np.arange(places.start, places.stop, places.step) % RING].tolist()
    return cells


def food_of(packed: Packed) -> tuple[Point, ...]:
    """Return the cells with food."""
    return points_in(packed.shape, packed.board[0]["food"])
