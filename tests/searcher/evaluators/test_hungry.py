"""The evaluator `hungry` against its formula in plain Python, and what it makes of food and length."""

import math
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.position import Direction, Position, Ruleset
from searcher.engine.rules.packing import pack
from searcher.textbook.battlesnake import Board, Point
from tests.searcher.engine.positions import (
    board_of,
    points,
    raced_to_food,
    random_position,
    randoms,
    snake,
    steps_between,
)
from tests.searcher.engine.turns import play
from tests.searcher.evaluators.test_contract import EVALUATORS, value

HUNGRY = EVALUATORS["hungry"]
DEFAULTS = {weight.name: weight.default for weight in HUNGRY.weights}


def value_of(position: Position, you: int = 0, weights: Mapping[str, float] = DEFAULTS) -> float:
    """Return the value with these weights."""
    return value(HUNGRY, pack(position), [*weights.values()], you)


def formula(board: Board, you: int, weights: dict[str, float]) -> float:
    """Return the value in plain Python."""
    body, health = board.snakes[you].body, board.snakes[you].health
    longest = max((len(board.snakes[other].body) for other in board.living if other != you), default=0)
    *reached, steps, their_steps = raced_to_food(board, you)
    mine, theirs = (safe(board, cells) for cells in reached)
    missing, lead = 1 - health / 100, len(body) - longest
    crowd = max(0, 1 - 2 / len(board.living))
    area, share, length, hunger = (
        weights[name] + crowd * weights[f"{name}_crowd"] for name in ("area", "share", "length", "hunger")
    )
    hunger *= missing * missing
    meal = length * (worth(lead + 1) - worth(lead)) + hunger
    total = area * (mine - theirs) / (board.width * board.height)
    total += share * (mine - theirs) / max(1, mine + theirs)
    total += weights["room"] * (min(1, mine / len(body)) - min(1, theirs / max(1, longest)))
    total += length * worth(lead) - hunger
    eaten = 0 if steps is None else weights["patience"] ** steps
    if board.food:
        least = min(steps_between(board, body[0], food) for food in board.food)
        contested = weights["contested"] * max(0, 1 - health / 50) + weights["contested_crowd"] * crowd
        eaten = max(eaten, min(1, contested) * weights["patience"] ** least)
        total -= weights["starving"] * (least > health)
    total += meal * eaten
    if their_steps is not None:
        loss = length * (worth(lead) - worth(lead - 1))
        total -= weights["denial"] * loss * weights["patience"] ** their_steps
    return total / (1 + abs(total))


def safe(board: Board, cells: set[Point]) -> int:
    """Return how many cells have no harmful hazards."""
    return len(cells.difference(board.hazards) if board.rules.hazard_damage > 0 else cells)


def worth(lead: int) -> float:
    """Return what a lead in length is worth."""
    return lead / (lead + 3) if lead >= 0 else -math.log(1 - lead / 4)


@settings(max_examples=100)
@given(randoms())
def test_random_positions(random: Random) -> None:
    """On crowded boards of 1 to 4 snakes, whatever the rules, the value is that of the formula."""
    position = random_position(random, (1, 4), sizes=(3, 9), parts=(1, 9))
    health = random.randint(1, 100)
    snakes = tuple(replace(each, health=health) for each in position.snakes)
    position = replace(position, snakes=snakes)
    board = board_of(position)
    for you in range(len(snakes)):
        assert value_of(position, you) == pytest.approx(formula(board, you, DEFAULTS))


BEHIND = Position(
    11,
    11,
    (snake("a", "55 54 53"), snake("b", "A9 A8 A7 A6 A5 A4 A3 A2"), snake("c", "09 08 07 06 05 04")),
    points("57"),
)

NO_ROOM = DEFAULTS | {"area": 0.0, "share": 0.0, "room": 0.0}
"""Weights for which only food, health and length count."""


def with_food(cell: str, health: int = 100) -> Position:
    """Return the position with food on one cell, and this health of the first snake."""
    first, *rest = BEHIND.snakes
    return replace(BEHIND, snakes=(replace(first, health=health), *rest), food=points(cell))


@pytest.mark.parametrize(
    ("others", "health", "attracted"),
    [(1, 80, False), (1, 50, False), (1, 30, True), (1, 10, True), (2, 80, True), (2, 10, True)],
)
def test_food_that_an_opponent_reaches_first_attracts(others: int, health: int, attracted: bool) -> None:
    """Nearer food attracts below half health in a duel, and at any health with more snakes."""
    far = with_food("0A", health)
    far = replace(far, snakes=(far.snakes[0], *far.snakes[-others:]))
    first, *rest = far.snakes
    near = replace(far, snakes=(replace(first, body=points("45 44 43")), *rest))
    change = value_of(near, weights=NO_ROOM) - value_of(far, weights=NO_ROOM)
    assert (change > 0) is attracted


@pytest.mark.parametrize("name", ["hungry", "fitted"])
@pytest.mark.parametrize(
    ("damage", "columns", "share"), [(14, 2, 7 / 11), (14, 5, 1 / 11), (14, 6, 0), (0, 6, 1), (-5, 6, 1)]
)
def test_harmful_hazards_take_haste_away(name: str, damage: int, columns: int, share: float) -> None:
    """On a board of eleven columns, haste falls with each one that does harm, until no haste is left."""
    hazards = tuple((column, row) for column in (10, 9, 8, 7, 6, 4)[:columns] for row in range(11))
    packed = pack(replace(with_food("56"), hazards=hazards, ruleset=Ruleset("royale", damage)))
    for _ in range(3):
        packed = play(packed, [Direction.UP, None, None])
    evaluator, bonus = EVALUATORS[name], 0.4 * share * 2 / 100
    weights = [0.4 if weight.name == "haste" else 0.0 for weight in evaluator.weights]
    assert value(evaluator, packed, weights, 0) == pytest.approx(bonus / (1 + bonus))
