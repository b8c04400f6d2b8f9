"""What a move assures a snake of, whatever the others choose: a turn in which they make all moves at once.

No position that the turn may lead to is worse for it in any respect: its cells are not fewer there, theirs
not more, no other is longer, and no food farther away. One look here stands for one at each of them.
"""

import math
from typing import Any

from numba import njit

from searcher.engine.features.flood import neighbours, race
from searcher.engine.jit import cells
from searcher.engine.position import MAX_HEALTH
from searcher.engine.rules.board import has, is_alive
from searcher.engine.rules.legal import free_cells
from searcher.engine.rules.records import RING

NOTHING = -math.inf
"""The lower bound of a move after which the snake may be dead."""


@njit
def worst_case(game: Any, board: Any, snake: int, move: int, food: Any) -> Any:
    """How a snake stands after its move and any legal ones of the others, at worst.

    That is whether it surely lives and, if so: the cells that it reaches first, at least; those that the
    others do, at most; the steps to its nearest food of a set, as for `flood.reach`, at most; its health.
    With None for food the compiler leaves out what counts steps.
    """
    cell, health, length = after_move(game, board, snake, move)
    free = free_cells(game, board)
    mine = cells.one(board, "bodies", cell)
    strong, weak, contested = rivals(game, board, snake, length, mine, free)
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
    """A snake's head, health and length after a move if nobody meets it; without health it dies."""
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
    """Whether a snake would die of food: that of one cell runs into the part that it grows; so do others."""
    return int(board.length[snake]) == 1


@njit
def length_bounds(game: Any, board: Any, snake: int, move: int) -> tuple[int, int, int]:
    """A snake's length when all have moved; and the length of the longest other, at most and at least."""
    cell, _, length = after_move(game, board, snake, move)
    if game.constrictor and board.grow[snake] <= 1 and length == board.length[snake]:
        length += 1
    free = free_cells(game, board)
    _, _, contested = rivals(game, board, snake, length, cells.one(board, "bodies", cell), free)
    most = least = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            moves = moves_of(game, board, other, free)
            most = max(most, longest_after(game, board, other, moves))
            if not may_die(game, board, other, moves, contested, free):
                least = max(least, int(board.length[other]))
    return length, most, least


@njit
def moves_of(game: Any, board: Any, snake: int, free: Any) -> Any:
    """The cells that a snake's legal moves lead to, as `rules.legal_moves` knows them."""
    moves = neighbours(game, cells.one(board, "bodies", board.head[snake])) & free
    if moves != moves ^ moves:
        return moves
    return cells.one(board, "bodies", game.neighbours[board.head[snake], 0]) & cells.load(game, "on_board")


@njit
def longest_after(game: Any, board: Any, snake: int, moves: Any) -> int:
    """How long a snake may be when all have made one of their moves."""
    may_eat = moves & cells.load(board, "food") != moves ^ moves
    return int(board.length[snake]) + int(may_eat or game.constrictor != 0)


@njit
def rivals(game: Any, board: Any, snake: int, length: int, mine: Any, free: Any) -> Any:
    """The cells to which others may move: those who may win ties with a length, and the rest; shared ones.

    Shared are those to which several may, or one and the snake itself has.
    """
    strong = weak = contested = mine ^ mine
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            moves = moves_of(game, board, other, free)
            contested |= moves & (strong | weak | mine)
            if longest_after(game, board, other, moves) >= length or chokes(board, other):
                strong |= moves
            else:
                weak |= moves
    return strong, weak, contested


@njit
def free_after(game: Any, board: Any, snake: int, cell: int, contested: Any, free: Any) -> Any:
    """The cells without a body when all have moved, their heads left out: surely, and possibly.

    As for `rules.free_cells`, a tail that leaves next is no body. Surely free are those for every choice of
    the others, possibly those for one.
    """
    food = cells.load(board, "food")
    surely = possibly = free
    for one in range(len(board.head)):
        if is_alive(board, one):
            nothing = food ^ food
            if one == snake:
                moves = cells.one(board, "bodies", cell)
            else:
                moves = moves_of(game, board, one, free)
                if may_die(game, board, one, moves, contested, free):
                    possibly |= body_of(game, board, one)
            tail = next_tail(game, board, one)
            if moves & ~food != nothing:
                possibly |= tail
            if moves & food == nothing:
                surely |= tail
    return surely, possibly


@njit
def next_tail(game: Any, board: Any, snake: int) -> Any:
    """The cell that a snake's tail leaves in the turn after this, if it doesn't eat in this one, as a set."""
    nothing = cells.none(board, "bodies")
    if game.constrictor or board.grow[snake] > 1:
        return nothing
    tail_at = int(board.tail_at[snake]) + int(board.grow[snake] == 0)
    if tail_at > board.head_at[snake]:
        return nothing
    return cells.one(board, "bodies", game.ring[snake, tail_at & (RING - 1)])


@njit
def may_die(game: Any, board: Any, snake: int, moves: Any, contested: Any, free: Any) -> bool:
    """Whether one of its moves, or a want of them, may be a snake's death."""
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


@njit
def body_of(game: Any, board: Any, snake: int) -> Any:
    """All cells of a snake."""
    body = cells.none(board, "bodies")
    for place in range(board.tail_at[snake], board.head_at[snake] + 1):
        body |= cells.one(board, "bodies", game.ring[snake, place & (RING - 1)])
    return body
