"""Lower bounds of a move against all replies, from a turn in which opponents make all their moves together.

After any real reply, the snake is at least as well off as after this imagined turn. It reaches at least as
many cells, and food is at most as far away. The opponents reach at most as many cells and are at most as
long. So one evaluation after this turn bounds the evaluations after all replies.
"""

import math
from typing import Any

from searcher.engine.features.flood import neighbours, race
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.position import MAX_HEALTH
from searcher.engine.rules.board import body_cells, enterable_cells, free_cells, has, is_alive, ring_cell

NOTHING = -math.inf
"""The lower bound of a move after which the snake may be dead."""


@njit
def worst_case(game: Any, board: Any, snake: int, move: int, food: Any) -> Any:
    """Return bounds of a snake's state after its move and any legal moves of the opponents.

    The first value is whether the snake certainly lives. If it may die, the other values are meaningless. The
    second value is a subset of the cells that it reaches first, the third a superset of the cells that its
    opponents reach first. The fourth value is an upper bound of the steps to its nearest cell of `food`, as
    in `flood.reach`. The last value is its health. If `food` is None, the compiler leaves out the code that
    counts steps.
    """
    cell, health, length = after_move(game, board, snake, move)
    free = enterable_cells(game, board, free_cells(game, board))
    mine = cells.one(board, "bodies", cell)
    strong, weak, contested = opponent_moves(game, board, snake, length, mine, free)
    lives = health > 0 and mine & free & ~strong != mine ^ mine
    mine_free, their_free = free_after(game, board, snake, cell, contested, free)
    if food is not None:
        food &= ~(mine | strong | weak)
    taken = mine | strong | weak
    mine, theirs, steps = race(
        game, strong, mine, weak & ~strong, mine_free & ~taken, their_free & ~taken, food
    )
    return lives, mine, theirs & ~mine, steps, health


@njit
def after_move(game: Any, board: Any, snake: int, move: int) -> tuple[int, int, int]:
    """Return a snake's head, health and length after a move without a collision. With health 0 it dies."""
    cell = int(game.neighbours[board.head[snake], move])
    length = int(board.length[snake])
    if has(board.food, cell):
        return cell, 0 if chokes(board, snake) else MAX_HEALTH, length + 1
    health = int(board.health[snake]) - 1
    damage = game.damage[game.era[board.turns], cell]
    if damage != 0:
        health = min(max(health - damage, 0), MAX_HEALTH)
    if game.constrictor and health > 0:
        health = MAX_HEALTH
    return cell, health, length


@njit
def chokes(board: Any, snake: int) -> bool:
    """Return whether a snake dies if it eats.

    The head of a snake of length 1 runs into the part that it grows, as does any other head there.
    """
    return int(board.length[snake]) == 1


@njit
def length_bounds(game: Any, board: Any, snake: int, move: int) -> tuple[int, int, int]:
    """Return a snake's next length, and an upper and a lower bound of the longest opponent's next length."""
    cell, _, length = after_move(game, board, snake, move)
    if game.constrictor and board.grow[snake] <= 1 and length == board.length[snake]:
        length += 1
    free = enterable_cells(game, board, free_cells(game, board))
    _, _, contested = opponent_moves(game, board, snake, length, cells.one(board, "bodies", cell), free)
    upper = lower = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            moves = target_cells(game, board, other, free)
            upper = max(upper, longest_length(game, board, other, moves))
            if not may_die(game, board, other, moves, contested, free):
                lower = max(lower, int(board.length[other]))
    return length, upper, lower


@njit
def target_cells(game: Any, board: Any, snake: int, free: Any) -> Any:
    """Return the cells that a snake's legal moves lead to."""
    moves = neighbours(game, cells.one(board, "bodies", board.head[snake])) & free
    if moves != moves ^ moves:
        return moves
    return cells.one(board, "bodies", game.neighbours[board.head[snake], 0]) & cells.load(game, "on_board")


@njit
def longest_length(game: Any, board: Any, snake: int, moves: Any) -> int:
    """Return the greatest length that a snake may have after the turn. `moves` are its target cells."""
    may_eat = moves & cells.load(board, "food") != moves ^ moves
    return int(board.length[snake]) + int(may_eat or game.constrictor != 0)


@njit
def opponent_moves(game: Any, board: Any, snake: int, length: int, mine: Any, free: Any) -> Any:
    """Return the cells to which opponents may move, as three sets: strong, weak and contested.

    Strong opponents may win or tie a head-to-head against a snake of this length. The rest are weak. A cell
    is contested if several opponents may move there, or if one opponent may and the cell is in `mine`.
    """
    strong = weak = contested = mine ^ mine
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            moves = target_cells(game, board, other, free)
            contested |= moves & (strong | weak | mine)
            if longest_length(game, board, other, moves) >= length or chokes(board, other):
                strong |= moves
            else:
                weak |= moves
    return strong, weak, contested


@njit
def free_after(game: Any, board: Any, snake: int, cell: int, contested: Any, free: Any) -> Any:
    """Return the cells that are certainly free of bodies after the turn, and the cells that may be free.

    New heads don't count as bodies, nor do tails that leave on the next turn, as in `free_cells`.
    A cell is certainly free if it is free after all choices of the opponents. It is possibly free if it is
    free after some choice.
    """
    food = cells.load(board, "food")
    certain = possible = free
    for one in range(len(board.head)):
        if is_alive(board, one):
            nothing = food ^ food
            if one == snake:
                moves = cells.one(board, "bodies", cell)
            else:
                moves = target_cells(game, board, one, free)
                if may_die(game, board, one, moves, contested, free):
                    possible |= body_cells(game, board, one)
            tail = next_tail(game, board, one)
            if moves & ~food != nothing:
                possible |= tail
            if moves & food == nothing:
                certain |= tail
    return certain, possible


@njit
def next_tail(game: Any, board: Any, snake: int) -> Any:
    """Return, as a set, the cell that a snake's tail leaves next turn if the snake does not eat this turn."""
    nothing = cells.none(board, "bodies")
    if game.constrictor or board.grow[snake] > 1:
        return nothing
    tail_at = int(board.tail_at[snake]) + int(board.grow[snake] == 0)
    if tail_at > board.head_at[snake]:
        return nothing
    return cells.one(board, "bodies", ring_cell(game, snake, tail_at))


@njit
def may_die(game: Any, board: Any, snake: int, moves: Any, contested: Any, free: Any) -> bool:
    """Return whether a snake may die this turn. `moves` are its target cells."""
    nothing = moves ^ moves
    if moves & contested != nothing or moves & free == nothing:
        return True
    if chokes(board, snake) and moves & cells.load(board, "food") != nothing:
        return True
    worst = 0
    era = game.era[board.turns]
    for direction in range(4):
        worst = max(worst, int(game.damage[era, game.neighbours[board.head[snake], direction]]))
    return int(board.health[snake]) - 1 - worst <= 0
