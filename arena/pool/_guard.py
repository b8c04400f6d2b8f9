"""The guard: the safety of a move. Opponents that look one turn ahead choose by safety first."""

from searcher.toolkit import (
    MAX_HEALTH,
    Board,
    Cells,
    Game,
    cells,
    fill,
    free_cells,
    harm,
    has,
    is_alive,
    neighbours,
    njit,
)

_STEP = 4096.0
"""The distance between the numbers of two kinds of moves: more than the length of any body."""


def safety(game: Game, board: Board, snake: int, move: int) -> float:
    """Return a number that is higher for a safer move. The safest move has 0.

    There are four kinds of moves. The least safe kind runs into a wall or a body. The next kinds starve the
    snake, and risk a head-to-head with an opponent that may not be shorter. The safest does none of these.
    Among moves of the last two kinds, more room is safer, up to the length of the body.
    """
    cell, health, length = after_move(game, board, snake, move)
    free = free_cells(game, board)
    if not cells.contains(free, cell):
        return -3 * _STEP
    if health <= 0:
        return -2 * _STEP
    head = cells.one(board, "bodies", cell)
    contested = risky_cells(game, board, snake, length, free)
    room = 1 + cells.count(fill(game, head, free & ~head))
    return -_STEP * int(cells.contains(contested, cell)) - max(0, length - room)


@njit
def after_move(game: Game, board: Board, snake: int, move: int) -> tuple[int, int, int]:
    """Return a snake's head, health and length after a move without a collision. With health 0 it dies."""
    cell = int(game.neighbours[board.head[snake], move])
    length = int(board.length[snake])
    if has(board.food, cell):
        return cell, 0 if chokes(board, snake) else MAX_HEALTH, length + 1
    health = int(board.health[snake]) - 1
    damage = harm(game, board, cell)
    if damage != 0:
        health = min(max(health - damage, 0), MAX_HEALTH)
    if game.constrictor and health > 0:
        health = MAX_HEALTH
    return cell, health, length


@njit
def chokes(board: Board, snake: int) -> bool:
    """Return whether a snake dies if it eats.

    The head of a snake of length 1 runs into the part that it grows, as does any other head there.
    """
    return int(board.length[snake]) == 1


@njit
def risky_cells(game: Game, board: Board, snake: int, length: int, free: Cells) -> Cells:
    """Return the cells to which opponents may move that may win or tie a head-to-head at this length."""
    risky = cells.none(board, "bodies")
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            moves = target_cells(game, board, other, free)
            if longest_length(game, board, other, moves) >= length or chokes(board, other):
                risky |= moves
    return risky


@njit
def target_cells(game: Game, board: Board, snake: int, free: Cells) -> Cells:
    """Return the cells that a snake's legal moves lead to."""
    moves = neighbours(game, cells.one(board, "bodies", board.head[snake])) & free
    if moves != moves ^ moves:
        return moves
    return cells.one(board, "bodies", game.neighbours[board.head[snake], 0]) & cells.load(game, "on_board")


@njit
def longest_length(game: Game, board: Board, snake: int, moves: Cells) -> int:
    """Return the greatest length that a snake may have after the turn. `moves` are its target cells."""
    may_eat = moves & cells.load(board, "food") != moves ^ moves
    return int(board.length[snake]) + int(may_eat or game.constrictor != 0)
