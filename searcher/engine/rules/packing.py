"""Conversion of a position into the records of the compiled engine, and back."""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from searcher.engine.position import MAX_HEALTH, Point, Position, Snake
from searcher.engine.rules.geometry import game_of_size
from searcher.engine.rules.records import (
    HORIZON,
    RING,
    Packed,
    Shape,
    board_dtype,
    cell_of,
    points_in,
    points_of_cells,
    shapes_for,
    words_of,
)
from searcher.engine.rules.royale import expected_layers


def pack(position: Position, shape: Shape | None = None) -> Packed:
    """Return the records of a position, in a shape that has room for it, by default the smallest one."""
    shape = shape or shapes_for(position)[0]
    game = game_of_size(shape, position.width, position.height, position.ruleset.wrapped).copy()
    board = np.zeros(1, dtype=board_dtype(shape))
    _pack_game(shape, game[0], position)
    board["food"][0] = words_of(shape, position.food)
    board["bodies"][0] = words_of(shape, (part for snake in position.snakes for part in snake.body))
    for index, snake in enumerate(position.snakes):
        _pack_snake(shape, game[0], board[0], index, snake)
    return Packed(shape, game, board)


def _pack_game(shape: Shape, game: np.void, position: Position) -> None:
    ruleset = position.ruleset
    hazards = [point for point in position.hazards if _on_board(point, position.width, position.height)]
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


def _on_board(point: Point, width: int, height: int) -> bool:
    return 0 <= point[0] < width and 0 <= point[1] < height


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
