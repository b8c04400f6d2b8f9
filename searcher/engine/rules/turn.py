"""One turn of the official rules, compiled: an ordered list of small stages on one board.

Every stage has the same signature: the game, the board it changes, and the joint move, two bits for each
snake, lowest first, and from STILL on a bit for each that stands still. The dead take no part. The order of
the stages is that of the official engine, which lets nobody stand still: some searches imagine it.
"""

from typing import Any

import numpy as np
from numba import njit

from searcher.engine.jit import cells
from searcher.engine.position import MAX_HEALTH, MAX_SNAKES
from searcher.engine.rules.records import HORIZON, RING

STILL = 2 * MAX_SNAKES
"""The bit of a joint move that says whether the first snake stands still; the others' follow."""


@njit
def play(game: Any, board: Any, joint: int) -> None:
    """Plays one turn in place: every living snake makes its move of `joint`, or stands still by it."""
    # Hardly ever does anybody stand still, and this runs for every node.
    if joint >> STILL:
        stand_still(game, board, joint)
    move_snakes(game, board, joint)
    lose_health(game, board, joint)
    damage_by_hazards(game, board, joint)
    feed_snakes(game, board, joint)
    eliminate_snakes(game, board, joint)
    if game.constrictor:
        constrict(game, board, joint)
    if game.closing:
        count_turn(game, board, joint)
    if joint >> STILL:
        stand_no_more(game, board, joint)


@njit
def is_alive(board: Any, snake: int) -> bool:
    """Whether the snake is on the board."""
    return board.length[snake] > 0


@njit
def living_others(board: Any, you: int) -> int:
    """How many snakes besides one are on the board."""
    others = 0
    for snake in range(len(board.head)):
        others += int(snake != you and is_alive(board, snake))
    return others


@njit
def move_of(joint: int, snake: int) -> int:
    """The snake's direction in a joint move."""
    return (joint >> (2 * snake)) & 3


@njit
def is_still(joint: int, snake: int) -> bool:
    """Whether a joint move lets the snake stand still."""
    return (joint >> (STILL + snake)) & 1 != 0


@njit
def has(words: Any, cell: int) -> bool:
    """Whether a set held as a record's field of words has the cell."""
    return (words[cell >> 6] >> (cell & 63)) & 1 != 0


@njit
def set_cell(words: Any, cell: int) -> None:
    """Puts a cell into a set held as a record's field of words."""
    words[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)


@njit
def clear_cell(words: Any, cell: int) -> None:
    """Takes a cell out of a set held as a record's field of words."""
    words[cell >> 6] &= ~(np.uint64(1) << np.uint64(cell & 63))


@njit
def stand_still(game: Any, board: Any, joint: int) -> None:
    """Who stands still passes for dead during the turn: it neither moves, loses health, eats nor grows.

    All its cells stay among `bodies`: who runs into one dies, also into the head, however long it is.
    """
    for snake in range(len(board.head)):
        if is_still(joint, snake):
            board.length[snake] = 0


@njit
def stand_no_more(game: Any, board: Any, joint: int) -> None:
    """Gives those that stood still their length back; of the dead that have none, the health is gone too."""
    for snake in range(len(board.head)):
        if is_still(joint, snake) and board.health[snake] > 0:
            distinct = board.head_at[snake] - board.tail_at[snake] + 1
            board.length[snake] = distinct + board.grow[snake]


@njit
def move_snakes(game: Any, board: Any, joint: int) -> None:
    """Each head takes a cell; each tail leaves one, unless a part has yet to unfold there.

    The new heads are not yet among `bodies`, which so is just what a head may run into.
    """
    bodies = cells.load(board, "bodies")
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            head = game.neighbours[board.head[snake], move_of(joint, snake)]
            trail = board.trail[snake] * game.power[1] + game.cell_hash[head]
            if board.grow[snake] > 0:
                board.grow[snake] -= 1
            else:
                tail = game.ring[snake, board.tail_at[snake] & (RING - 1)]
                distinct = board.head_at[snake] - board.tail_at[snake] + 1
                trail -= game.cell_hash[tail] * game.power[distinct]
                bodies ^= cells.one(board, "bodies", tail)
                board.tail_at[snake] += 1
            board.head_at[snake] += 1
            game.ring[snake, board.head_at[snake] & (RING - 1)] = head
            board.head[snake] = head
            board.trail[snake] = trail
    cells.store(board, "bodies", bodies)


@njit
def lose_health(game: Any, board: Any, joint: int) -> None:
    """A turn costs one point of health; who has none left may still eat."""
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            board.health[snake] -= 1


@njit
def damage_by_hazards(game: Any, board: Any, joint: int) -> None:
    """Every layer of hazard under a head does its damage, unless food lies there."""
    era = game.era[board.turns]
    for snake in range(len(board.head)):
        head = board.head[snake]
        if is_alive(board, snake) and game.damage[era, head] != 0 and not has(board.food, head):
            health = board.health[snake] - game.damage[era, head]
            board.health[snake] = min(max(health, 0), MAX_HEALTH)


@njit
def feed_snakes(game: Any, board: Any, joint: int) -> None:
    """A head on food: full health, and one part more, to unfold from the tail. Two heads both eat."""
    food = cells.load(board, "food")
    eaten = cells.none(board, "food")
    for snake in range(len(board.head)):
        if is_alive(board, snake) and has(board.food, board.head[snake]):
            board.health[snake] = MAX_HEALTH
            board.grow[snake] += 1
            board.length[snake] += 1
            eaten |= cells.one(board, "food", board.head[snake])
            if board.head_at[snake] == board.tail_at[snake]:
                # Of one cell, it grows under its own head, which runs into that.
                set_cell(board.bodies, board.head[snake])
    cells.store(board, "food", food & ~eaten)


@njit
def eliminate_snakes(game: Any, board: Any, joint: int) -> None:
    """First the starved and those off the board; they are in nobody's way. Then all that collide, at once."""
    for snake in range(len(board.head)):
        if is_alive(board, snake) and (
            board.health[snake] <= 0 or board.head[snake] == len(game.cell_hash) - 1
        ):
            remove(game, board, snake)
    collided = 0
    for snake in range(len(board.head)):
        if is_alive(board, snake) and collides(board, snake):
            collided |= 1 << snake
    for snake in range(len(board.head)):
        if (collided >> snake) & 1:
            remove(game, board, snake)
    bodies = cells.load(board, "bodies")
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            bodies |= cells.one(board, "bodies", board.head[snake])
    cells.store(board, "bodies", bodies)


@njit
def collides(board: Any, snake: int) -> bool:
    """Whether a head is on a body, or on the head of a snake that is not shorter."""
    if has(board.bodies, board.head[snake]):
        return True
    for other in range(len(board.head)):
        meets = other != snake and is_alive(board, other) and board.head[other] == board.head[snake]
        if meets and board.length[snake] <= board.length[other]:
            return True
    return False


@njit
def remove(game: Any, board: Any, snake: int) -> None:
    """Takes a snake off the board, whose head is not yet among `bodies`."""
    for place in range(board.tail_at[snake], board.head_at[snake]):
        clear_cell(board.bodies, game.ring[snake, place & (RING - 1)])
    if board.head_at[snake] == board.tail_at[snake] and board.grow[snake] > 0:
        clear_cell(board.bodies, board.head[snake])
    board.length[snake] = 0
    board.health[snake] = 0
    board.trail[snake] = 0


@njit
def constrict(game: Any, board: Any, joint: int) -> None:
    """Constrictor: no food, full health, and every snake grows unless a part has yet to unfold."""
    cells.store(board, "food", cells.none(board, "food"))
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            board.health[snake] = MAX_HEALTH
            if board.grow[snake] == 0:
                board.grow[snake] = 1
                board.length[snake] += 1


@njit
def count_turn(game: Any, board: Any, joint: int) -> None:
    """Royale: how far hazards have closed in depends on the turn."""
    board.turns = min(board.turns + 1, HORIZON - 1)


@njit
def leaving_tail(game: Any, board: Any, snake: int) -> Any:
    """The cell that the snake's tail leaves if it moves, as a set; empty if a part has yet to unfold."""
    if board.grow[snake] > 0:
        return cells.none(board, "bodies")
    return cells.one(board, "bodies", game.ring[snake, board.tail_at[snake] & (RING - 1)])


@njit
def leaving_tails(game: Any, board: Any) -> Any:
    """The cells that tails leave this turn."""
    leaving = cells.none(board, "bodies")
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            leaving |= leaving_tail(game, board, snake)
    return leaving


@njit
def free_cells(game: Any, board: Any) -> Any:
    """The cells that no body will be on this turn: a tail that leaves is free, one that stays is not."""
    blocked = cells.load(board, "bodies") & ~leaving_tails(game, board)
    return cells.load(game, "on_board") & ~blocked


@njit
def legal_moves(game: Any, board: Any, snake: int, free: Any) -> int:
    """The moves that do not surely lose at once, as bits by direction; `free` is free_cells of the board.

    Where none is left it is UP alone: the snake dies whichever way it goes.
    """
    moves = 0
    for direction in range(4):
        cell = game.neighbours[board.head[snake], direction]
        moves |= int(cells.contains(free, cell)) << direction
    return moves if moves != 0 else 1
