"""Endgames of two snakes that room and health decide, solved by bounds instead of a search.

A flood bounds a snake's life from above, for every play of both snakes. It opens each cell of a body on the
first turn on which the body can leave it. Within a number of turns the snake enters at most the cells of the
flood. A walk over cells outside the opponent's flood is safe against every play of the opponent, so it bounds
a life from below. If one snake has such a walk until the other is dead, the game is decided.

Like a search, the bounds include only the food that is already on the board. With hazards they decide
nothing.
"""

from searcher.engine.features.flood import closes_loop, fill, neighbours
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Cells
from searcher.engine.position import MAX_HEALTH
from searcher.engine.rules.board import body_cells, has, is_alive, ring_cell, vacated
from searcher.engine.rules.records import Board, Game

NEVER = 1000
"""This number stands in place of a number of turns if no bound is known."""


@njit
def decided_in(game: Game, board: Board, snake: int) -> int:
    """Return t if a snake wins a duel within t turns, -t if it loses within t turns, or 0 if unknown.

    A win holds against every play of the opponent, even if it knows my moves in advance. A loss holds for
    every play of mine.
    """
    other = 1 - snake
    if len(board.head) != 2 or not is_alive(board, 0) or not is_alive(board, 1) or has_hazards(game, board):
        return 0
    turns, reached = dead_by(game, board, other)
    if turns < NEVER and outlives(game, board, snake, turns, reached):
        return turns
    turns, reached = dead_by(game, board, snake)
    if turns < NEVER and outlives(game, board, other, turns, reached):
        return -turns
    return 0


@njit
def has_hazards(game: Game, board: Board) -> bool:
    """Return whether hazards are on the board or may come."""
    hazards = cells.load(game, "hazards")
    return game.changing != 0 or hazards != hazards ^ hazards


@njit
def dead_by(game: Game, board: Board, snake: int) -> tuple[int, Cells]:
    """Return the turn by which a snake is certainly dead (or NEVER), and the cells that it may enter by then.

    In as many turns as it has parts, a snake enters no cell twice. So it has died if there were more odd
    turns than cells to enter on odd turns, or more even turns than cells to enter on even turns. It has also
    died if its health has run out and no food is among the cells.
    """
    head = cells.one(board, "bodies", board.head[snake])
    odd, even = head ^ head, head ^ head
    free = cells.load(game, "on_board") & ~cells.load(board, "bodies")
    food = cells.load(board, "food")
    health, turn = int(board.health[snake]), 0
    edge = head
    while True:
        turn += 1
        free |= vacated(game, board, turn)
        edge = neighbours(game, edge) & free
        if turn & 1:
            odd |= edge
            edge = odd
        else:
            even |= edge
            edge = even
        fed = (odd | even) & food != head ^ head or game.constrictor
        if turn >= health and not fed:
            return turn, odd | even
        if turn <= board.length[snake]:
            room = min(cells.count(odd) * 2, cells.count(even) * 2 + 1, cells.count(odd | even))
            if turn > room:
                return turn, odd | even
        elif fed:
            return NEVER, odd | even


@njit
def outlives(game: Game, board: Board, snake: int, turns: int, danger: Cells) -> bool:
    """Return whether a snake certainly lives for this number of turns outside the cells of `danger`.

    The snake follows its own body, or walks greedily. False only means that neither way is certain to last.
    """
    free = cells.load(game, "on_board") & ~(cells.load(board, "bodies") | danger)
    body = body_cells(game, board, snake)
    fed = turns < board.health[snake] and not game.constrictor
    empty = free & ~cells.load(board, "food")
    if fed and body & danger == free ^ free and closes_loop(game, board, snake, empty, 0):
        return True
    return turns <= board.length[snake] and walks(game, board, snake, turns, free, danger)


@njit
def walks(game: Game, board: Board, snake: int, turns: int, free: Cells, danger: Cells) -> bool:
    """Return whether a greedy walk lasts for this number of turns, at most the snake's length.

    Each step goes to the cell that leads to most cells, and among equal cells to the one with the fewest free
    neighbours.
    """
    head, tail_at = int(board.head[snake]), int(board.tail_at[snake])
    health, grow = int(board.health[snake]), int(board.grow[snake])
    for _ in range(turns):
        if grow > 0:
            grow -= 1
        else:
            free |= cells.one(board, "bodies", ring_cell(game, snake, tail_at)) & ~danger
            tail_at += 1
        head = best_step(game, board, head, free)
        if head < 0:
            return False
        free &= ~cells.one(board, "bodies", head)
        health -= 1
        if has(board.food, head):
            if board.length[snake] == 1:
                return False
            health, grow = MAX_HEALTH, grow + 1
        if health <= 0:
            return False
        if game.constrictor:
            health, grow = MAX_HEALTH, max(grow, 1)
    return True


@njit
def best_step(game: Game, board: Board, head: int, free: Cells) -> int:
    """Return the cell of a greedy walk's next step, or -1 if no step is possible."""
    best, best_value = -1, -1
    for direction in range(4):
        cell = int(game.neighbours[head, direction])
        if cells.contains(free, cell):
            here = cells.one(board, "bodies", cell)
            rest = free & ~here
            value = cells.count(fill(game, here, rest)) * 5 + 4 - cells.count(neighbours(game, here) & rest)
            if value > best_value:
                best, best_value = cell, value
    return best
