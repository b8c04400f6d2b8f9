"""One turn of the official rules: `play`, and its stages in the order of the official engine.

A stage is a compiled function of the game, the board that it changes, and the joint move. Stages ignore dead
snakes. Compiled searches call `play`. Python plays turns on a `LiveBoard`. The first and the last stage are
for snakes that stand still. Only some search algorithms let snakes stand still.
"""

from functools import cache

from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.function import INT64, Function
from searcher.engine.position import MAX_HEALTH
from searcher.engine.rules.board import (
    STILL,
    clear_cell,
    distinct_cells,
    has,
    is_alive,
    is_off_board,
    is_still,
    move_of,
    ring_cell,
    set_cell,
)
from searcher.engine.rules.records import HORIZON, RING, Board, Game, Shape, board_dtype, game_dtype


@njit
def play(game: Game, board: Board, joint: int) -> None:
    """Play one turn in place: each living snake moves or stands still, by the joint move."""
    stand_still(game, board, joint)
    move_snakes(game, board, joint)
    reduce_health(game, board, joint)
    damage_by_hazards(game, board, joint)
    feed_snakes(game, board, joint)
    eliminate_snakes(game, board, joint)
    constrict(game, board, joint)
    count_turn(game, board, joint)
    resume(game, board, joint)


@cache
def turn_function(shape: Shape) -> Function:
    """Return the compiled turn for records of a shape: (game, board, joint) -> None."""
    return Function(play.py_func, None, (game_dtype(shape), board_dtype(shape), INT64))


@njit
def stand_still(game: Game, board: Board, joint: int) -> None:
    """Treat each snake that stands still as dead during the turn.

    It does not move, lose health, eat or grow. All its cells stay in `bodies`. A head that runs into one of
    these cells, even into the head, dies regardless of length.
    """
    # Test this first, because snakes rarely stand still and this runs for every node.
    if joint >> STILL:
        for snake in range(len(board.head)):
            if is_still(joint, snake):
                board.length[snake] = 0


@njit
def resume(game: Game, board: Board, joint: int) -> None:
    """Restore the length of each living snake that stood still."""
    if joint >> STILL:
        for snake in range(len(board.head)):
            if is_still(joint, snake) and board.health[snake] > 0:
                board.length[snake] = distinct_cells(board, snake) + board.grow[snake]


@njit
def move_snakes(game: Game, board: Board, joint: int) -> None:
    """Move each head to its next cell. Move each tail forward, unless a part has yet to unfold there.

    The new heads are not in `bodies` yet, so `bodies` has exactly the cells that a head may run into.
    """
    bodies = cells.load(board, "bodies")
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            head = game.neighbours[board.head[snake], move_of(joint, snake)]
            trail = board.trail[snake] * game.power[1] + game.cell_hash[head]
            if board.grow[snake] > 0:
                board.grow[snake] -= 1
            else:
                tail = ring_cell(game, snake, board.tail_at[snake])
                trail -= game.cell_hash[tail] * game.power[distinct_cells(board, snake)]
                bodies ^= cells.one(board, "bodies", tail)
                board.tail_at[snake] += 1
            board.head_at[snake] += 1
            game.ring[snake, board.head_at[snake] & (RING - 1)] = head
            board.head[snake] = head
            board.trail[snake] = trail
    cells.store(board, "bodies", bodies)


@njit
def reduce_health(game: Game, board: Board, joint: int) -> None:
    """Take one point of health from each snake. A snake whose health is 0 may still eat."""
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            board.health[snake] -= 1


@njit
def damage_by_hazards(game: Game, board: Board, joint: int) -> None:
    """Apply the damage of every layer of hazard under a head, unless food lies there."""
    era = game.era[board.turns]
    for snake in range(len(board.head)):
        head = board.head[snake]
        if is_alive(board, snake) and game.damage[era, head] != 0 and not has(board.food, head):
            health = board.health[snake] - game.damage[era, head]
            board.health[snake] = min(max(health, 0), MAX_HEALTH)


@njit
def feed_snakes(game: Game, board: Board, joint: int) -> None:
    """Feed each snake whose head is on food. It gets full health and one more part, to unfold from its tail.

    Two heads on the same food both eat.
    """
    food = cells.load(board, "food")
    eaten = cells.none(board, "food")
    for snake in range(len(board.head)):
        if is_alive(board, snake) and has(board.food, board.head[snake]):
            board.health[snake] = MAX_HEALTH
            board.grow[snake] += 1
            board.length[snake] += 1
            eaten |= cells.one(board, "food", board.head[snake])
            if board.head_at[snake] == board.tail_at[snake]:
                # A snake of one cell grows under its own head, and its head runs into that part.
                set_cell(board.bodies, board.head[snake])
    cells.store(board, "food", food & ~eaten)


@njit
def eliminate_snakes(game: Game, board: Board, joint: int) -> None:
    """Remove the snakes that starved or left the board. Then remove together all snakes that collide."""
    for snake in range(len(board.head)):
        if is_alive(board, snake) and (board.health[snake] <= 0 or is_off_board(game, board.head[snake])):
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
def collides(board: Board, snake: int) -> bool:
    """Return whether the snake's head is on a body, or on the head of a snake that is not shorter."""
    if has(board.bodies, board.head[snake]):
        return True
    for other in range(len(board.head)):
        meets = other != snake and is_alive(board, other) and board.head[other] == board.head[snake]
        if meets and board.length[snake] <= board.length[other]:
            return True
    return False


@njit
def remove(game: Game, board: Board, snake: int) -> None:
    """Remove a snake from the board. Its head must not be in `bodies` yet."""
    for place in range(board.tail_at[snake], board.head_at[snake]):
        clear_cell(board.bodies, ring_cell(game, snake, place))
    if board.head_at[snake] == board.tail_at[snake] and board.grow[snake] > 0:
        clear_cell(board.bodies, board.head[snake])
    board.length[snake] = 0
    board.health[snake] = 0
    board.trail[snake] = 0


@njit
def constrict(game: Game, board: Board, joint: int) -> None:
    """Under constrictor rules, remove all food, restore health, and grow snakes with no part to unfold."""
    if not game.constrictor:
        return
    cells.store(board, "food", cells.none(board, "food"))
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            board.health[snake] = MAX_HEALTH
            if board.grow[snake] == 0:
                board.grow[snake] = 1
                board.length[snake] += 1


@njit
def count_turn(game: Game, board: Board, joint: int) -> None:
    """Count the turn if hazards change. Otherwise the turn number has no effect and is not counted."""
    if game.changing:
        board.turns = min(board.turns + 1, HORIZON - 1)
