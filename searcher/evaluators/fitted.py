"""The toolkit's terms with weights that are fitted to games. docs/learning.md describes the fit.

The weights of area, share, room and length change from an early to a late value as the board fills. With more
than two snakes, further weights are added to them and to the weight of hunger. Food counts a share of a
meal's value, as in `hungry`, whose weights are the defaults.
"""

from collections.abc import Sequence

from searcher.toolkit import Board, Game, Weight, Weights, njit, terms

DESCRIPTION = "The toolkit's terms, early and late, in a duel and in a crowd, with weights fitted to games."

WEIGHTS = (
    Weight("area", 0.25, -1.0, 2.0, "of my share of the board less the opponents' together, early"),
    Weight("area_late", 0.25, -1.0, 2.0, "of the same when bodies cover half the board"),
    Weight("area_crowd", -0.275, -2.0, 2.0, "of the same, times the share of the snakes beyond two"),
    Weight("share", 0.16, -1.0, 2.0, "of my part less theirs of the cells that anyone reaches, early"),
    Weight("share_late", 0.16, -1.0, 2.0, "of the same when bodies cover half the board"),
    Weight("share_crowd", -0.176, -2.0, 2.0, "of the same, times the share of the snakes beyond two"),
    Weight("ratio", 0.0, -0.5, 0.5, "of the logarithm of the ratio of my cells to the opponents'"),
    Weight("room", 0.35, -1.0, 2.0, "of the part of my body that my cells have room for, less theirs, early"),
    Weight("room_late", 0.35, -1.0, 2.0, "of the same when bodies cover half the board"),
    Weight("room_crowd", 0.0, -2.0, 2.0, "of the same, times the share of the snakes beyond two"),
    Weight("colours", 0.0, -1.0, 1.0, "of the part of my body that fits if each step changes the colour"),
    Weight("tail", 0.0, -1.0, 1.0, "of 1 if my cells lead to my tail"),
    Weight("length", 1.2, 0.0, 3.0, "of my lead over the longest opponent, each part adding less, early"),
    Weight("length_late", 1.2, 0.0, 3.0, "of the same when bodies cover half the board"),
    Weight("length_crowd", 0.6, -2.0, 2.0, "of the same, times the share of the snakes beyond two"),
    Weight(
        "relative", 0.0, -1.0, 1.0, "of the logarithm of the ratio of my length to the longest opponent's"
    ),
    Weight("hunger", 0.48, 0.0, 2.0, "less the square of my missing health, where 1 is full health"),
    Weight("hunger_crowd", 0.44, -2.0, 2.0, "of the same, times the share of the snakes beyond two"),
    Weight("haste", 0.4, 0.0, 2.0, "of the turns since my last meal, in hundreds, if I ate in the search"),
    Weight("famine", 0.0, -1.0, 1.0, "of the square of the health that the hungriest opponent misses"),
    Weight("starving", 0.3, 0.0, 1.0, "less 1 if all food is further away than my health lasts"),
    Weight("threat", 0.0, -1.0, 1.0, "less 1 divided by the steps to a head that is not shorter"),
    Weight("prey", 0.0, -1.0, 1.0, "of 1 divided by the steps to a head that is shorter"),
    Weight("edge", 0.0, -1.0, 1.0, "of my steps to the edge, as a share of the board's side"),
)
(
    AREA,
    AREA_LATE,
    AREA_CROWD,
    SHARE,
    SHARE_LATE,
    SHARE_CROWD,
    RATIO,
    ROOM,
    ROOM_LATE,
    ROOM_CROWD,
    COLOURS,
    TAIL,
    LENGTH,
    LENGTH_LATE,
    LENGTH_CROWD,
    RELATIVE,
    HUNGER,
    HUNGER_CROWD,
    HASTE,
    FAMINE,
    STARVING,
    THREAT,
    PREY,
    EDGE,
) = range(len(WEIGHTS))


def evaluate(game: Game, board: Board, weights: Weights, snake: int) -> float:
    """Return the value of the board for a living snake, from -1 to 1."""
    weight, of = weights.values, terms(game, board, snake)
    area = between(weight, AREA, AREA_LATE, of.late) + weight[AREA_CROWD] * of.crowd
    room = between(weight, ROOM, ROOM_LATE, of.late) + weight[ROOM_CROWD] * of.crowd
    length = between(weight, LENGTH, LENGTH_LATE, of.late) + weight[LENGTH_CROWD] * of.crowd
    share = between(weight, SHARE, SHARE_LATE, of.late) + weight[SHARE_CROWD] * of.crowd
    hunger = weight[HUNGER] + weight[HUNGER_CROWD] * of.crowd
    value = area * of.area + share * of.share + weight[RATIO] * of.ratio
    value += room * of.room + weight[COLOURS] * of.colours + weight[TAIL] * of.tail
    value += length * of.lead + weight[RELATIVE] * of.relative - hunger * of.hunger
    value += weight[HASTE] * of.haste + weight[FAMINE] * of.famine - weight[STARVING] * of.starving
    value += weight[PREY] * of.prey - weight[THREAT] * of.threat + weight[EDGE] * of.edge
    # Values beyond -1 and 1 would be clamped, and equal. This keeps their order.
    return value / (1.0 + abs(value))


@njit
def between(weight: Sequence[float], early: int, late: int, lateness: float) -> float:
    """Return the weight between an early and a late one."""
    return weight[early] + lateness * (weight[late] - weight[early])
