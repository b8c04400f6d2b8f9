"""The evaluator `balanced` against its formula in plain Python, and each of its terms."""

from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.position import Position
from searcher.engine.rules.packing import pack
from searcher.textbook.battlesnake import Board
from tests.searcher.engine.positions import board_of, random_position, randoms, reached_first
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
    mine, theirs, steps = reached_first(board, you)
    missing, lead = 1 - board.snakes[you].health / 100, own - longest
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


@settings(max_examples=60)
@given(random=randoms())
def test_values_match_the_formula(random: Random) -> None:
    """The values are equal on boards of any size, with any number of snakes and any weights."""
    position = random_position(random, parts=(2, 12))
    weights = {weight.name: random.uniform(weight.minimum, weight.maximum) for weight in BALANCED.weights}
    for you in range(len(position.snakes)):
        expected = formula(board_of(position), you, weights)
        assert value_of(position, you, **weights) == pytest.approx(expected, abs=1e-9)
