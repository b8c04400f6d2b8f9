"""One board: queries, changes of sets of cells, joint moves, legal moves (without certain death this turn).

A joint move is one integer with the moves of all snakes. Each snake has two bits for its direction, lowest
snake first. From bit STILL on, each snake has one bit that is set if the snake stands still. The official
rules don't allow standing still, but some search algorithms assume it.
"""

from collections.abc import Iterable

import numpy as np

from battlesnake_search.contract.limits import MAX_SNAKES
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import WORD_BITS, WORD_SHIFT, Cells, Words
from searcher.engine.position import Direction
from searcher.engine.rules.records import RING, Board, Game


@njit
def is_alive(board: Board, snake: int) -> bool:
    """Return whether the snake is on the board."""
    return board.length[snake] > 0


@njit
def living_others(board: Board, you: int) -> int:
    """Return the number of snakes on the board without the snake `you`."""
    others = 0
    for snake in range(len(board.head)):
        others += int(snake != you and is_alive(board, snake))
    return others


@njit
def turn_of(game: Game, board: Board) -> int:
    """Return the turn of a board: the root's turn, `game.turn`, and the turns played since."""
    played = 0
    for snake in range(len(board.head)):
        # A snake that is dead, or that a search lets stand still, has made fewer moves.
        played = max(played, int(board.head_at[snake]) - game.root_head_at[snake])
    return game.turn + played


@njit
def ring_cell(game: Game, snake: int, place: int) -> int:
    """Return the cell at a place of the snake's ring. Places count up without end and wrap at RING."""
    return game.ring[snake, place & (RING - 1)]


@njit
def distinct_cells(board: Board, snake: int) -> int:
    """Return how many cells the snake's body covers: its length without the parts yet to unfold."""
    return board.head_at[snake] - board.tail_at[snake] + 1


@njit
def is_off_board(game: Game, cell: int) -> bool:
    """Return whether the cell is the one that stands for all cells off the board."""
    return cell == len(game.cell_hash) - 1


@njit
def has(words: Words, cell: int) -> bool:
    """Return whether a set held as a record's field of words contains the cell."""
    return (words[cell >> WORD_SHIFT] >> (cell & (WORD_BITS - 1))) & 1 != 0


@njit
def set_cell(words: Words, cell: int) -> None:
    """Add the cell to a set held as a record's field of words."""
    words[cell >> WORD_SHIFT] |= np.uint64(1) << np.uint64(cell & (WORD_BITS - 1))


@njit
def clear_cell(words: Words, cell: int) -> None:
    """Remove the cell from a set held as a record's field of words."""
    words[cell >> WORD_SHIFT] &= ~(np.uint64(1) << np.uint64(cell & (WORD_BITS - 1)))


MOVE_BITS = 2
MOVE_MASK = 3

STILL = MOVE_BITS * MAX_SNAKES
"""The position of the lowest bit that marks a snake as standing still."""


@njit
def move_of(joint: int, snake: int) -> int:
    """Return the snake's direction in a joint move."""
    return (joint >> (MOVE_BITS * snake)) & MOVE_MASK


@njit
def move_bits(snake: int, move: int) -> int:
    """Return the bits of the snake's move in a joint move."""
    return move << (MOVE_BITS * snake)


@njit
def with_move(joint: int, snake: int, move: int) -> int:
    """Return the joint move in which the snake makes another move."""
    return joint & ~move_bits(snake, MOVE_MASK) | move_bits(snake, move)


@njit
def is_still(joint: int, snake: int) -> bool:
    """Return whether the snake stands still in a joint move."""
    return (joint >> (STILL + snake)) & 1 != 0


def joint_of(moves: Iterable[Direction | None]) -> int:
    """Return the joint move of the snakes' moves, in their order. A snake with None stands still."""
    return sum(
        1 << STILL + index if move is None else int(move) << MOVE_BITS * index
        for index, move in enumerate(moves)
    )


@njit
def vacated(game: Game, board: Board, step: int) -> Cells:
    """Return the cells that the living snakes' bodies leave on a step, if no snake eats."""
    left = cells.none(board, "bodies")
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            left |= left_at(game, board, snake, step)
    return left


@njit
def left_at(game: Game, board: Board, snake: int, turn: int) -> Cells:
    """Return, as a set, the cell that a snake's body leaves on a future turn if it does not eat before."""
    place = int(board.tail_at[snake]) + turn - 1 - int(board.grow[snake])
    if place < board.tail_at[snake] or place > board.head_at[snake] or (game.constrictor and turn > 1):
        return cells.none(board, "bodies")
    return cells.one(board, "bodies", ring_cell(game, snake, place))


@njit
def body_cells(game: Game, board: Board, snake: int) -> Cells:
    """Return all cells of a snake."""
    body = cells.none(board, "bodies")
    for place in range(board.tail_at[snake], board.head_at[snake] + 1):
        body |= cells.one(board, "bodies", ring_cell(game, snake, place))
    return body


@njit
def starves(game: Game, board: Board, snake: int) -> bool:
    """Return whether a snake certainly dies of hunger this turn: it can neither eat nor be healed."""
    if board.health[snake] > 1 or game.hazard_damage < 0:
        return False
    food = cells.load(board, "food")
    for direction in range(4):
        if cells.contains(food, game.neighbours[board.head[snake], direction]):
            return False
    return True


@njit
def free_cells(game: Game, board: Board) -> Cells:
    """Return the cells without a body this turn. A tail that leaves is free. A tail that stays is not."""
    blocked = cells.load(board, "bodies") & ~vacated(game, board, 1)
    return cells.load(game, "on_board") & ~blocked


@njit
def enterable_cells(game: Game, board: Board, free: Cells) -> Cells:
    """Return the free cells, and the bodies of snakes that starve this turn, before collisions count."""
    for snake in range(len(board.head)):
        if is_alive(board, snake) and starves(game, board, snake):
            free |= body_cells(game, board, snake)
    return free


@njit
def legal_moves(game: Game, board: Board, snake: int, free: Cells) -> int:
    """Return the snake's moves into the cells of `free`, as bits by direction.

    A snake without such a move gets UP alone, because it dies by every move.
    """
    moves = 0
    for direction in range(4):
        cell = game.neighbours[board.head[snake], direction]
        moves |= int(cells.contains(free, cell)) << direction
    return moves if moves != 0 else 1
