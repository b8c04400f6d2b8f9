"""The terms of a position: numbers from about -1 to 1 that evaluators weigh, all from a single flood.

No term rewards food for being near, because a snake would then wait next to food instead of eating it. Food
counts a share of a meal's value instead. A weight may change from the early to the late part of a game, and
from a crowd to a duel.

On a board without seams, cells are black and white as on a checkerboard, and each step changes the colour. So
a walk enters at most one cell more of one colour than of the other.
"""

from typing import NamedTuple

import numpy as np

from searcher.engine.features.distance import (
    NO_FOOD,
    distance,
    edge_distance,
    lowest_health,
    nearest_food,
    nearest_heads,
)
from searcher.engine.features.flood import NOWHERE, neighbours, race_to_food
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Cells
from searcher.engine.position import MAX_HEALTH
from searcher.engine.rules.board import is_alive, ring_cell
from searcher.engine.rules.records import Board, Game

LOGARITHMS = np.log(np.maximum(1, np.arange(1024)))
"""The natural logarithm of each whole number from 1 to 1023. A look-up takes a tenth of the time of `log`."""

_FULL = 0.5
"""The share of the board that bodies cover when a game is late."""


@njit
def lateness(game: Game, board: Board) -> float:
    """Return min(1, parts / (_FULL * cells of the board)), with the parts of all living bodies."""
    parts = 0
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            parts += int(board.length[snake])
    return min(1.0, parts / (_FULL * game.width * game.height))


@njit
def crowding(board: Board) -> float:
    """Return max(0, 1 - 2 / living snakes): 0 in a duel, 0.5 with four snakes."""
    alive = 0
    for snake in range(len(board.head)):
        alive += int(is_alive(board, snake))
    return max(0.0, 1.0 - 2.0 / alive)


@njit
def log_ratio(mine: float, theirs: float) -> float:
    """Return log((mine + 1) / (theirs + 1)) of two counts: above 0 if mine is larger.

    Counts are cut to whole numbers, and none is above 1022.
    """
    return LOGARITHMS[int(mine) + 1] - LOGARITHMS[int(theirs) + 1]


@njit
def longest_other(board: Board, snake: int) -> int:
    """Return the length of the longest living opponent, 0 without opponents."""
    longest = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            longest = max(longest, board.length[other])
    return longest


@njit
def reaches_tail(game: Game, board: Board, snake: int, reached: Cells) -> bool:
    """Return whether a snake gets next to its tail within the cells that it can walk to, or is there already.

    Such a snake can follow its tail out of any place if it does not grow.
    """
    tail = ring_cell(game, snake, board.tail_at[snake])
    walked = reached | cells.one(board, "bodies", board.head[snake])
    return cells.contains(neighbours(game, walked), tail)


@njit
def harm(game: Game, board: Board, cell: int) -> int:
    """Return the health that all hazards of a cell take from a head this turn. A negative value heals."""
    return game.damage[game.era[board.turns], cell]


@njit
def safe_cells(game: Game, reached: Cells) -> Cells:
    """Return the cells of a set without harmful hazards."""
    return reached & ~cells.load(game, "hazards") if game.hazard_damage > 0 else reached


@njit
def walkable(game: Game, board: Board, snake: int, reached: Cells) -> int:
    """Return an upper bound of the number of a set's cells that one walk can enter, by the cells' colours.

    The head's cell, where the walk starts, does not count. On a wrapped board, seams may join cells of one
    colour, so the bound is the number of all cells of the set.
    """
    head = cells.one(board, "bodies", board.head[snake])
    inside = reached & ~head
    count = cells.count(inside)
    if game.wrapped:
        return count
    black = cells.count(inside & cells.load(game, "black"))
    own = black
    if head & cells.load(game, "black") == head ^ head:
        own = count - black
    # The first cell is of the other colour than the head's.
    return min(2 * own + 1, 2 * (count - own))


_LEAD, _DEFICIT = 3.0, 4
"""The scales of `worth_of_lead` for a lead and for a deficit, in parts."""

_PATIENCE = 0.75
"""Food at a distance of some steps is worth _PATIENCE ** steps of a meal's value."""

_CONTESTED = 0.4
"""If an opponent may reach the food first, the food is worth at most this share of a meal's value, and the
next share times `crowding`."""

_CONTESTED_CROWD = 0.6


class Terms(NamedTuple):
    """The terms for and against a living snake. Areas are by `reach_in_time`, without harmful hazards."""

    late: float
    """The number of all bodies' parts, as a share of half the board, at most 1."""
    crowd: float
    """max(0, 1 - 2 / living snakes)."""
    area: float
    """(my cells - the opponents' cells) / cells of the board."""
    share: float
    """(my cells - the opponents' cells) / (my cells + the opponents' cells)."""
    ratio: float
    """log((my cells + 1) / (the opponents' cells + 1))."""
    room: float
    """min(1, my cells / my length) - min(1, the opponents' cells / the longest opponent's length)."""
    colours: float
    """min(1, `walkable` of my cells / my length). Each step of a walk changes the colour."""
    tail: float
    """1 if my cells lead to my tail."""
    lead: float
    """The worth of my lead over the longest opponent. Each further part adds less.

    Food adds a share of the worth of the part that it brings. The share is 0.75 to the power of the steps to
    the nearest food that I reach first. It has a minimum: 0.75 to the power of the steps to the nearest food
    of all, times a factor. The factor is 0.4 times the missing part of half health, plus 0.6 times `crowd`,
    at most 1.
    Food that an opponent reaches first takes such a share of the worth of the part that I would lose.
    """
    relative: float
    """log((my length + 1) / (the longest opponent's length + 1))."""
    hunger: float
    """(1 - share of a meal that food is worth) * (share of health that I lack) ** 2."""
    haste: float
    """`share_of_haste` * (share of health that I lack) if I have eaten since the root, or else 0."""
    famine: float
    """(share of health that the hungriest opponent lacks) ** 2."""
    starving: float
    """1 if the steps to all food are more than my health, or else 0."""
    threat: float
    """1 divided by the steps to the nearest head that is not shorter than mine."""
    prey: float
    """1 divided by the steps to the nearest head that is shorter."""
    edge: float
    """(steps from my head to the nearest edge) / (the board's larger side), or 0 without edges."""


@njit
def terms(game: Game, board: Board, snake: int) -> Terms:
    """Return the terms of a living snake."""
    my_cells, their_cells, steps, their_steps = race_to_food(game, board, snake)
    mine, theirs = cells.count(safe_cells(game, my_cells)), cells.count(safe_cells(game, their_cells))
    own, longest = int(board.length[snake]), int(longest_other(board, snake))
    missing = 1.0 - board.health[snake] / MAX_HEALTH
    starving_opponent = 1.0 - lowest_health(board, snake) / MAX_HEALTH
    crowd = crowding(board)
    meal, starving = food_in_reach(game, board, snake, steps, crowd)
    area = (mine - theirs) / (game.width * game.height)
    share = (mine - theirs) / max(1.0, mine + theirs)
    room = min(1.0, mine / own) - min(1.0, theirs / max(1.0, float(longest)))
    colours = min(1.0, walkable(game, board, snake, my_cells) / own)
    tail = 1.0 if reaches_tail(game, board, snake, my_cells) else 0.0
    lead = worth_of_lead(own - longest)
    growth = worth_of_lead(own + 1 - longest) - lead
    loss = lead - worth_of_lead(own - longest - 1) if their_steps < NOWHERE else 0.0
    haste = missing * share_of_haste(game) if own > game.root_length[snake] else 0.0
    threat, prey, edge = around_head(game, board, snake)
    return Terms(
        lateness(game, board),
        crowd,
        area,
        share,
        log_ratio(mine, theirs),
        room,
        colours,
        tail,
        lead + meal * growth - loss * _PATIENCE**their_steps,
        log_ratio(own, longest),
        (1.0 - meal) * missing * missing,
        haste,
        starving_opponent * starving_opponent,
        starving,
        threat,
        prey,
        edge,
    )


@njit
def around_head(game: Game, board: Board, snake: int) -> tuple[float, float, float]:
    """Return the terms `threat`, `prey` and `edge`."""
    stronger, weaker = nearest_heads(game, board, snake)
    threat = 1.0 / max(1, stronger) if stronger < NOWHERE else 0.0
    prey = 1.0 / max(1, weaker) if weaker < NOWHERE else 0.0
    steps = edge_distance(game, board.head[snake])
    return threat, prey, steps / max(game.width, game.height) if steps < NOWHERE else 0.0


@njit
def worth_of_lead(lead: int) -> float:
    """Return lead / (lead + _LEAD), or for a negative lead -log(1 - lead / _DEFICIT)."""
    if lead >= 0:
        return lead / (lead + _LEAD)
    # This is -log(1 - lead / _DEFICIT).
    return LOGARITHMS[_DEFICIT] - LOGARITHMS[_DEFICIT - lead]


@njit
def share_of_haste(game: Game) -> float:
    """Return the share of haste to eat that counts: max(0, 1 - 2 * (share of cells with harmful hazards)).

    Where hazards leave little food within reach, a meal that is eaten early wastes health.
    """
    everywhere = cells.load(game, "on_board")
    return max(0.0, 2.0 * cells.count(safe_cells(game, everywhere)) / cells.count(everywhere) - 1.0)


@njit
def food_in_reach(game: Game, board: Board, snake: int, steps: int, crowd: float) -> tuple[float, float]:
    """Return the worth of food in reach, as a share of a meal, and the term `starving`.

    `steps` is the distance to the food that I reach first.
    """
    health = int(board.health[snake])
    meal = _PATIENCE**steps if steps < NOWHERE else 0.0
    need = max(0.0, 1.0 - 2.0 * health / MAX_HEALTH)
    contested = min(1.0, _CONTESTED * need + _CONTESTED_CROWD * crowd)
    if contested == 0.0:
        return meal, 0.0
    food = nearest_food(game, board, board.head[snake])
    if food == NO_FOOD:
        return meal, 0.0
    least = distance(game, board.head[snake], food)
    return max(meal, contested * _PATIENCE**least), 1.0 if least > health else 0.0
