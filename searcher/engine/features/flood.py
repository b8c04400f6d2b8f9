"""Floods over the board, for evaluators: around bodies that stay, and around bodies that move on.

While snakes walk, cells behind their tails become free. Only the functions `..._in_time` include these cells.
A loop is a closed way on which a snake follows its body until it starves.
"""

from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Cells
from searcher.engine.rules.board import free_cells, is_alive, ring_cell, vacated
from searcher.engine.rules.records import Board, Game

NOWHERE = 1000
"""The steps to food that can't be reached: more than width + height of any board."""


@njit
def neighbours(game: Game, here: Cells) -> Cells:
    """Return the four neighbours of every cell of a set, across the seams of a wrapped board.

    Mask the result: it may contain cells off the board.
    """
    around = cells.spread(here)
    if game.wrapped:
        around |= cells.up_by(here & cells.load(game, "left"), game.across)
        around |= cells.down_by(here & cells.load(game, "right"), game.across)
        around |= cells.up_by(here & cells.load(game, "bottom"), game.along)
        around |= cells.down_by(here & cells.load(game, "top"), game.along)
    return around


@njit
def fill(game: Game, start: Cells, free: Cells) -> Cells:
    """Return the cells of `free` that a walk from a cell of `start` can reach without leaving `free`."""
    nothing = start ^ start
    reached, edge = nothing, start
    while edge != nothing:
        edge = neighbours(game, edge) & free
        free ^= edge
        reached |= edge
    return reached


@njit
def area(game: Game, board: Board, snake: int) -> tuple[int, int]:
    """Return the numbers of cells that a living snake and its opponents reach first, heads included.

    All snakes step over free cells, at the same time. A cell that several snakes reach on the same step goes
    to the longest of them. Between `snake` and an opponent of its length it goes to the opponent, because
    `snake` can't win the head-to-head there.
    """
    mine, theirs, _ = first_reached(game, board, snake, None)
    return cells.count(mine), cells.count(theirs)


@njit
def reach(game: Game, board: Board, snake: int) -> tuple[Cells, Cells, int]:
    """Return the sets of cells that `area` counts, mine and theirs, and the steps to my nearest food.

    Only food among my own cells counts. Without such food, the steps are NOWHERE.
    """
    return first_reached(game, board, snake, cells.load(board, "food"))


@njit
def first_reached(game: Game, board: Board, snake: int, food: Cells | None) -> tuple[Cells, Cells, int]:
    """Return the result of `reach` for this set of food. With None the steps to food are meaningless."""
    mine = cells.one(board, "bodies", board.head[snake])
    strong, weak = opponents_heads(board, snake)
    free = free_cells(game, board) & ~(mine | strong | weak)
    # In a duel one of the two sets is empty, and the compiler leaves out its code.
    if len(board.head) > 2:
        return race(game, strong, mine, weak, free, food)
    if weak != mine ^ mine:
        return race(game, None, mine, weak, free, food)
    return race(game, strong, mine, None, free, food)


@njit
def opponents_heads(board: Board, snake: int) -> tuple[Cells, Cells]:
    """Return the heads of living opponents as two sets: longer or equal opponents, and shorter ones."""
    strong = weak = cells.none(board, "bodies")
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            head = cells.one(board, "bodies", board.head[other])
            if board.length[other] >= board.length[snake]:
                strong |= head
            else:
                weak |= head
    return strong, weak


@njit
def race(
    game: Game, strong: Cells | None, mine: Cells, weak: Cells | None, free: Cells, food: Cells | None
) -> tuple[Cells, Cells, int]:
    """Flood the board from three sets, each in turn by one step, and return the cells of each side.

    Return my cells, the opponents' cells, and the steps to the nearest cell of `food` among my cells. The
    steps are NOWHERE if none of my cells has food. If several sides reach a cell on the same step, the cell
    goes to the strong opponents before me, and to me before the weak opponents. `free` are the cells that can
    be entered, without the three sets.

    `strong`, `weak` and `food` may be None. The compiler leaves out the code for an argument of None.
    """
    nothing = mine ^ mine
    strong_edge, my_edge, weak_edge = nothing, mine, nothing
    if strong is not None:
        strong_edge = strong
    if weak is not None:
        weak_edge = weak
    theirs, steps = strong_edge | weak_edge, 1
    while strong_edge | my_edge | weak_edge != nothing:
        if strong is not None:
            strong_edge = neighbours(game, strong_edge) & free
            free ^= strong_edge
        my_edge = neighbours(game, my_edge) & free
        free ^= my_edge
        if weak is not None:
            weak_edge = neighbours(game, weak_edge) & free
            free ^= weak_edge
        mine |= my_edge
        theirs |= strong_edge | weak_edge
        if food is not None:
            steps += int(mine & food == nothing)
    if food is not None and mine & food == nothing:
        steps = NOWHERE
    return mine, theirs, steps


MIN_STEPS = 10
"""The least number of steps of a flood in time. Even if it has stopped growing, a tail may open a way."""


@njit
def reach_in_time(game: Game, board: Board, snake: int) -> tuple[Cells, Cells, int]:
    """Return the result of `reach` for bodies that move on: my cells, the opponents' cells, steps to food.

    On each step every body without a part to unfold leaves the cell of its tail, as if no snake ate. A side
    may wait for such a cell if it has at least as many cells as steps until then. It needs the cells to walk
    on in the meantime.
    """
    mine, theirs, steps, _ = race_to_food(game, board, snake)
    return mine, theirs, steps


@njit
def race_to_food(game: Game, board: Board, snake: int) -> tuple[Cells, Cells, int, int]:
    """Return the result of `reach_in_time`, and the opponents' steps to the nearest food of their cells."""
    mine = cells.one(board, "bodies", board.head[snake])
    strong, weak = opponents_heads(board, snake)
    free = free_cells(game, board) & ~(mine | strong | weak)
    # As in `first_reached`.
    if len(board.head) > 2:
        return race_in_time(game, board, strong, mine, weak, free)
    if weak != mine ^ mine:
        return race_in_time(game, board, None, mine, weak, free)
    return race_in_time(game, board, strong, mine, None, free)


@njit
def race_in_time(
    game: Game, board: Board, strong: Cells | None, mine: Cells, weak: Cells | None, free: Cells
) -> tuple[Cells, Cells, int, int]:
    """Return the result of `race_to_food`, with the sets and the order of `race`."""
    nothing = mine ^ mine
    food, my_steps, their_steps = cells.load(board, "food"), NOWHERE, NOWHERE
    strong_cells = weak_cells = nothing
    if strong is not None:
        strong_cells = strong
    if weak is not None:
        weak_cells = weak
    heads, edges, step = strong_cells | mine | weak_cells, mine, 1
    while edges != nothing or step <= MIN_STEPS:
        their_edges = nothing
        if step > 1:
            free |= vacated(game, board, step) & ~heads
        if strong is not None:
            their_edges = enterable(game, strong_cells, free, step)
            free ^= their_edges
            strong_cells |= their_edges
        my_edge = enterable(game, mine, free, step)
        free ^= my_edge
        mine |= my_edge
        if weak is not None:
            weak_edge = enterable(game, weak_cells, free, step)
            free ^= weak_edge
            weak_cells |= weak_edge
            their_edges |= weak_edge
        edges = my_edge | their_edges
        if my_steps == NOWHERE and my_edge & food != nothing:
            my_steps = step
        if their_steps == NOWHERE and their_edges & food != nothing:
            their_steps = step
        step += 1
    return mine, strong_cells | weak_cells, my_steps, their_steps


@njit
def enterable(game: Game, held: Cells, free: Cells, step: int) -> Cells:
    """Return the free cells next to a side's cells, or none if it lacks the room to walk until this step."""
    if cells.count(held) < step:
        return held ^ held
    return neighbours(game, held) & free


@njit
def closes_loop(game: Game, board: Board, snake: int, free: Cells, spare: int) -> bool:
    """Return whether a snake can walk over `free` cells to a cell that its body has left by then.

    From there on it can follow its body in a loop without end. The cells of `free` must have neither food nor
    bodies, and no other snake may enter the loop. The loop has at least `spare` cells more than the body.
    Only shortest ways are tried, because they never cross themselves. A longer way may close a loop even if
    no shortest way does.
    """
    edge = cells.one(board, "bodies", board.head[snake])
    nothing = left = edge ^ edge
    free &= ~edge
    place = int(board.tail_at[snake]) - int(board.grow[snake]) - spare
    while edge != nothing:
        if board.tail_at[snake] <= place <= board.head_at[snake]:
            left |= cells.one(board, "bodies", ring_cell(game, snake, place))
        place += 1
        edge = neighbours(game, edge)
        if edge & left != nothing:
            return True
        edge &= free
        free ^= edge
    return False
