"""The move that a snake is likely to make, by a small model of its habits: room, food, heads and inertia."""

from collections.abc import Sequence

from searcher.engine.features.distance import NO_FOOD, distance, nearest_food
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Cells
from searcher.engine.rules.board import is_alive, ring_cell
from searcher.engine.rules.records import Board, Game

EXIT = 2
"""The points of each free neighbour of the cell that a move enters."""

DEAD_END = -8
"""The points of a cell without a free neighbour."""

STRAIGHT = 1
"""The points of the move straight on."""

FOOD = 3
"""The points of a step towards the nearest food."""

PREY, DANGER = 2, -8
"""The points for each head next to the cell that a move enters: of a shorter snake, and of any other.

The points of a shorter snake make up for the exit that its head takes.
"""

POINTS = (EXIT, DEAD_END, STRAIGHT, FOOD, PREY, DANGER)
"""The points in the order of `habits`."""


@njit
def likely_move(game: Game, board: Board, snake: int, moves: int, free: Cells) -> int:
    """Return the likely move of a living snake: the legal move with most points.

    `moves` are its legal moves as bits, at least one. `free` is `free_cells` of the board. Ties go to the
    first move by direction. The move depends on the position alone, as a transposition table requires.
    """
    best, best_points = 0, -1000
    if moves & (moves - 1) == 0:
        while (moves >> best) & 1 == 0:
            best += 1
        return best
    food = nearest_food(game, board, board.head[snake])
    for move in range(4):
        if (moves >> move) & 1:
            points = points_of(habits(game, board, snake, move, free, food))
            if points > best_points:
                best, best_points = move, points
    return best


@njit
def habits(
    game: Game, board: Board, snake: int, move: int, free: Cells, food: int
) -> tuple[int, int, int, int, int, int]:
    """Return the six counts for and against a legal move, in the order of POINTS.

    `food` is the nearest food to the head, or NO_FOOD.
    """
    head = board.head[snake]
    target = game.neighbours[head, move]
    ways = exits(game, target, free)
    nearer = food != NO_FOOD and distance(game, target, food) < distance(game, head, food)
    prey, danger = heads_next_to(game, board, snake, target)
    return ways, int(ways == 0), int(is_straight(game, board, snake, move)), int(nearer), prey, danger


@njit
def points_of(counts: Sequence[int]) -> int:
    """Return the points of a move with these counts."""
    points = 0
    for habit in range(len(POINTS)):
        points += counts[habit] * POINTS[habit]
    return points


@njit
def exits(game: Game, cell: int, free: Cells) -> int:
    """Return how many neighbours of a cell are free."""
    count = 0
    for direction in range(4):
        count += int(cells.contains(free, game.neighbours[cell, direction]))
    return count


@njit
def is_straight(game: Game, board: Board, snake: int, move: int) -> bool:
    """Return whether a move continues the snake's last move."""
    has_neck = board.head_at[snake] > board.tail_at[snake]
    neck = ring_cell(game, snake, board.head_at[snake] - 1)
    return has_neck and game.neighbours[neck, move] == board.head[snake]


@njit
def heads_next_to(game: Game, board: Board, snake: int, cell: int) -> tuple[int, int]:
    """Return the numbers of heads of shorter snakes and of other opponents next to a cell."""
    prey = danger = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other) and distance(game, cell, board.head[other]) == 1:
            if board.length[other] < board.length[snake]:
                prey += 1
            else:
                danger += 1
    return prey, danger
