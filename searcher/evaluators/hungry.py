"""Area, room, length, and food. Food is worth the growth and health of a meal, discounted by its distance.

With a bonus for being near food, a snake would wait next to the food, because eating ends the bonus. Here
food counts a share of a meal's value that shrinks with each step to the food, so eating always pays. A snake
that is behind gains from every part of length. If it is ahead, the first parts of its lead are worth most.
Food that an opponent reaches first costs a share of the lead that the meal would take.

With more than two snakes, length and health count more, and cells count less, because the opponents that hold
the other cells seldom act as one. Food that an opponent may reach first attracts, too, because that opponent
often goes elsewhere.

Cells with harmful hazards don't count. The more of them there are, the less a snake is in haste to eat.
"""

from searcher.toolkit import (
    MAX_HEALTH,
    NO_FOOD,
    NOWHERE,
    Board,
    Game,
    Weight,
    Weights,
    cells,
    crowding,
    distance,
    longest_other,
    nearest_food,
    njit,
    race_to_food,
    safe_cells,
    share_of_haste,
    worth_of_lead,
)

DESCRIPTION = "Area, room for my body, length and hunger; food for the growth and health that it brings."

WEIGHTS = (
    Weight("area", 0.25, 0.0, 1.0, "of my share of the board less the opponents' together"),
    Weight("share", 0.16, 0.0, 1.0, "of the same, as a share of the cells that anyone reaches"),
    Weight("room", 0.35, 0.0, 1.0, "of the part of my body that my area has room for, less the opponents'"),
    Weight("length", 1.2, 0.0, 2.0, "of my lead over the longest opponent, each part adding less"),
    Weight("hunger", 0.48, 0.0, 1.0, "less the square of my missing health, where 1 is full health"),
    Weight("patience", 0.75, 0.0, 1.0, "is the share of a meal's value that each step to it leaves"),
    Weight("contested", 0.4, 0.0, 1.0, "of the same for food that I may not reach first, below half health"),
    Weight("starving", 0.3, 0.0, 1.0, "less 1 if all food is further away than my health lasts"),
    Weight(
        "haste", 0.4, 0.0, 2.0, "of the turns since my last meal, in hundreds, if I have eaten in the search"
    ),
    Weight("denial", 1.0, 0.0, 2.0, "of the worth of the meal that an opponent reaches first"),
    Weight("area_crowd", -0.275, -2.0, 2.0, "is added to area, times the share of the snakes beyond two"),
    Weight("share_crowd", -0.176, -2.0, 2.0, "is added to share, likewise"),
    Weight("length_crowd", 0.6, -2.0, 2.0, "is added to length, likewise"),
    Weight("hunger_crowd", 0.44, -2.0, 2.0, "is added to hunger, likewise"),
    Weight("contested_crowd", 0.6, 0.0, 1.0, "is added to contested at any health, likewise"),
)
(
    AREA,
    SHARE,
    ROOM,
    LENGTH,
    HUNGER,
    PATIENCE,
    CONTESTED,
    STARVING,
    HASTE,
    DENIAL,
    AREA_CROWD,
    SHARE_CROWD,
    LENGTH_CROWD,
    HUNGER_CROWD,
    CONTESTED_CROWD,
) = range(len(WEIGHTS))


def evaluate(game: Game, board: Board, weights: Weights, snake: int) -> float:
    """Return the value of the board for a living snake, from -1 to 1."""
    weight, crowd = weights.values, crowding(board)
    length = weight[LENGTH] + crowd * weight[LENGTH_CROWD]
    my_cells, their_cells, steps, their_steps = race_to_food(game, board, snake)
    mine, theirs = cells.count(safe_cells(game, my_cells)), cells.count(safe_cells(game, their_cells))
    own, longest = int(board.length[snake]), int(longest_other(board, snake))
    lead = worth_of_lead(own - longest)
    missing = 1.0 - board.health[snake] / MAX_HEALTH
    hunger = (weight[HUNGER] + crowd * weight[HUNGER_CROWD]) * missing * missing
    growth = length * (worth_of_lead(own + 1 - longest) - lead)
    value = (weight[AREA] + crowd * weight[AREA_CROWD]) * (mine - theirs) / (game.width * game.height)
    value += (weight[SHARE] + crowd * weight[SHARE_CROWD]) * (mine - theirs) / max(1.0, mine + theirs)
    value += weight[ROOM] * (min(1.0, mine / own) - min(1.0, theirs / max(1.0, float(longest))))
    value += length * lead - hunger
    value += food_value(game, board, weights, snake, steps, growth + hunger, crowd)
    if their_steps < NOWHERE:
        loss = length * (lead - worth_of_lead(own - longest - 1))
        value -= weight[DENIAL] * loss * weight[PATIENCE] ** their_steps
    if own > game.root_length[snake]:
        value += weight[HASTE] * missing * share_of_haste(game)
    # Values beyond -1 and 1 would be clamped, and equal. This keeps their order.
    return value / (1.0 + abs(value))


@njit
def food_value(
    game: Game, board: Board, weights: Weights, snake: int, steps: int, meal: float, crowd: float
) -> float:
    """Return the value of the food on the board, for a meal of this value.

    `steps` is the distance to the nearest food that the snake reaches first, or NOWHERE without such food.
    """
    weight, health = weights.values, int(board.health[snake])
    share = 0.0 if steps >= NOWHERE else weight[PATIENCE] ** steps
    need = max(0.0, 1.0 - 2.0 * health / MAX_HEALTH)
    contested = min(1.0, weight[CONTESTED] * need + weight[CONTESTED_CROWD] * crowd)
    if need == 0.0 and contested == 0.0:
        return meal * share
    food = nearest_food(game, board, board.head[snake])
    if food == NO_FOOD:
        return meal * share
    least = distance(game, board.head[snake], food)
    share = max(share, contested * weight[PATIENCE] ** least)
    return meal * share - weight[STARVING] * int(least > health)
