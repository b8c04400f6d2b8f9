"""The sector that a snake is in: its size, its food against hunger, opponents' heads, dead ends, hazards.

After "How the snake slithers" (2020). The original scores the tiles that a flood from the head fills. Here
every term is a share from 0 to 1.
"""

from typing import Any

from searcher.toolkit import MAX_HEALTH, Weight, cells, fill, free_cells, has, is_alive, neighbours, njit

DESCRIPTION = "Hunger, heads, sectors, dead ends, hazards: the scores of How the snake slithers."

WEIGHTS = (
    Weight("sector", 0.4, 0.0, 1.0, "of the size of my sector, as a share of the board"),
    Weight("misfit", 0.4, 0.0, 1.0, "less the part of my body that my sector has no room for"),
    Weight("hunger", 0.3, 0.0, 1.0, "less the square of the health I miss, as a share of full health"),
    Weight("famine", 0.2, 0.0, 1.0, "less the health I miss, divided by 1 plus the food in my sector"),
    Weight(
        "larger",
        0.2,
        0.0,
        1.0,
        "less the share of opponents that are not shorter and can step next to my sector",
    ),
    Weight(
        "danger",
        0.2,
        0.0,
        1.0,
        "less the share of the cells near me that an opponent that is not shorter can step on",
    ),
    Weight(
        "bait", 0.1, 0.0, 1.0, "of the share of the cells near me that only shorter opponents can step on"
    ),
    Weight("dead_end", 0.2, 0.0, 1.0, "less 1 if no cell is two steps ahead, a half if only one is"),
    Weight("hazards", 0.1, 0.0, 1.0, "less the share of harmful hazards in my sector, my head's cell too"),
    Weight("hazard", 0.1, 0.0, 1.0, "less 1 if my head is on a harmful hazard"),
)
SECTOR, MISFIT, HUNGER, FAMINE, LARGER, DANGER, BAIT, DEAD_END, HAZARDS, HAZARD = range(len(WEIGHTS))


def evaluate(game: Any, board: Any, weights: Any, snake: int) -> float:
    """Return the value of the board for a living snake, from -1 to 1.

    A free cell is a risk if a longer or equal opponent can step on it. It is bait if only shorter opponents
    can step on it. The snake's sector is all cells that it reaches over free cells without risk, except its
    head's cell. The free cells one or two steps away from the head are near.
    """
    weight = weights.values
    free = free_cells(game, board) & ~cells.one(board, "bodies", board.head[snake])
    risk, bait = opponent_steps(game, board, snake, free)
    sector = fill(game, cells.one(board, "bodies", board.head[snake]), free & ~risk)
    size, length = cells.count(sector), board.length[snake]
    missing = 1.0 - board.health[snake] / MAX_HEALTH
    food = cells.count(sector & cells.load(board, "food"))
    value = weight[SECTOR] * size / (game.width * game.height)
    value -= weight[MISFIT] * max(0, length - size) / length
    value -= weight[HUNGER] * missing * missing
    value -= weight[FAMINE] * missing / (1 + food)
    value += near_terms(game, board, weight, snake, free, sector, risk, bait)
    value -= weight[LARGER] * count_larger_around(game, board, snake, free, sector) / max(1, game.snakes - 1)
    return value - hazard_terms(game, board, weight, snake, sector)


@njit
def opponent_steps(game: Any, board: Any, snake: int, free: Any) -> Any:
    """Return the free cells that longer or equal opponents can enter, and those for shorter ones alone."""
    nothing = cells.none(board, "bodies")
    risk, bait = nothing, nothing
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            steps = neighbours(game, cells.one(board, "bodies", board.head[other])) & free
            if board.length[other] < board.length[snake]:
                bait |= steps
            else:
                risk |= steps
    return risk, bait & ~risk


@njit
def near_terms(
    game: Any, board: Any, weight: Any, snake: int, free: Any, sector: Any, risk: Any, bait: Any
) -> float:
    """Return the terms of the cells one or two steps away: opponents' heads and dead ends."""
    adjacent = neighbours(game, cells.one(board, "bodies", board.head[snake])) & free
    near = adjacent | neighbours(game, adjacent) & free
    around = max(1, cells.count(near))
    value = weight[BAIT] * cells.count(near & bait) / around
    value -= weight[DANGER] * cells.count(near & risk) / around
    ahead = cells.count(neighbours(game, adjacent & sector) & sector & ~adjacent)
    return value - weight[DEAD_END] * max(0, 2 - ahead) / 2


@njit
def count_larger_around(game: Any, board: Any, snake: int, free: Any, sector: Any) -> int:
    """Return how many longer or equal opponents can step next to my sector or to my head."""
    border = neighbours(game, sector | cells.one(board, "bodies", board.head[snake])) & free
    larger = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other) and board.length[other] >= board.length[snake]:
            steps = neighbours(game, cells.one(board, "bodies", board.head[other]))
            larger += int(steps & border != cells.none(board, "bodies"))
    return larger


@njit
def hazard_terms(game: Any, board: Any, weight: Any, snake: int, sector: Any) -> float:
    """Return the terms of hazards, or 0 if hazards do no damage."""
    if game.hazard_damage <= 0:
        return 0.0
    here = has(game.hazards, board.head[snake])
    inside = cells.count(sector & cells.load(game, "hazards")) + int(here)
    return weight[HAZARDS] * inside / (1 + cells.count(sector)) + weight[HAZARD] * int(here)
