"""The evaluator `balanced` against its formula in plain Python, and each of its terms."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.position import Point, Position
from searcher.engine.rules.packing import pack
from searcher.textbook.battlesnake import Board, Direction
from tests.searcher.engine.positions import board_of, random_position, randoms, reached_first, snake
from tests.searcher.evaluators.test_contract import EVALUATORS, value

BALANCED = EVALUATORS["balanced"]
NAMES = [weight.name for weight in BALANCED.weights]


def value_of(position: Position, you: int = 0, **weights: float) -> float:
    """Return the value with these weights and all others 0."""
    return value(BALANCED, pack(position), [weights.get(name, 0.0) for name in NAMES], you)


def formula(board: Board, you: int, weights: dict[str, float]) -> float:
    """Return the weighted sum of the terms in plain Python."""
    others = [len(board.snakes[other].body) for other in board.living if other != you]
    own, longest = len(board.snakes[you].body), max(others, default=0)
    mine, theirs = reached_first(board, you)
    missing = 1 - board.snakes[you].health / 100
    steps, lead = steps_to_food(board, you), own - longest
    nearness = 0 if steps is None else max(0, 1 - (steps - 1) / (board.width + board.height))
    terms = {
        "area": (mine - theirs) / (board.width * board.height),
        "share": (mine - theirs) / (mine + theirs),
        "length": lead / (abs(lead) + 3),
        "room": min(1, mine / own) - min(1, theirs / max(1, longest)),
        "hunger": -missing * missing,
        "food": missing * nearness,
    }
    return sum(weight * terms[name] for name, weight in weights.items())


def steps_to_food(board: Board, you: int) -> int | None:
    """Return the steps to the nearest food that `you` reach first; None if there is none."""
    held = {part for player in board.living for part in board.snakes[player].body[:-1]}
    fronts = {player: {board.snakes[player].head} for player in board.living}
    owned = set().union(*fronts.values())
    for step in range(1, board.width * board.height):
        arrivals = {player: neighbours(board, front) - held - owned for player, front in fronts.items()}
        fronts = {player: set() for player in fronts}
        for cell in set[Point]().union(*arrivals.values()):
            together = [player for player in arrivals if cell in arrivals[player]]
            first = max(together, key=lambda player: (len(board.snakes[player].body), player != you))
            fronts[first].add(cell)
        owned |= set().union(*fronts.values())
        if fronts[you] & set(board.food):
            return step
    return None


def neighbours(board: Board, cells: set[Point]) -> set[Point]:
    """Return the cells of the board one step away from any of these."""
    near = {board.neighbour(cell, direction) for cell in cells for direction in Direction}
    return {cell for cell in near if board.holds(cell)}


@settings(max_examples=60)
@given(random=randoms())
def test_values_match_the_formula(random: Random) -> None:
    """The values are equal on boards of any size, with any number of snakes and any weights."""
    position = random_position(random, parts=(2, 12))
    weights = {weight.name: random.uniform(weight.minimum, weight.maximum) for weight in BALANCED.weights}
    for you in range(len(position.snakes)):
        expected = formula(board_of(position), you, weights)
        assert value_of(position, you, **weights) == pytest.approx(expected, abs=1e-9)


DUEL = Position(7, 7, (snake("a", "11 12 13"), snake("b", "55 54 53")))


def grown(by: int) -> Position:
    """Return the duel with this many more parts of the first snake."""
    return replace(DUEL, snakes=(snake("a", "11 12 13" + " 13" * by), DUEL.snakes[1]))
