"""The evaluator `fitted`: its terms and phases."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.position import Position
from searcher.engine.rules.packing import pack
from tests.searcher.engine.positions import random_position, randoms, snake
from tests.searcher.evaluators.test_contract import EVALUATORS, value

FITTED = EVALUATORS["fitted"]
NONE = {weight.name: max(0.0, weight.minimum) for weight in FITTED.weights}


def value_of(position: Position, weights: Mapping[str, float], you: int = 0) -> float:
    """Return the value with these weights, before it is squeezed between -1 and 1."""
    found = value(FITTED, pack(position), [*weights.values()], you)
    return found / (1.0 - abs(found))


@settings(max_examples=100)
@given(randoms())
def test_it_extends_hungry(random: Random) -> None:
    """With its default weights it has the values of `hungry`, whatever the rules."""
    position = random_position(random, (1, 4), sizes=(3, 9), parts=(1, 9))
    health = random.randint(1, 100)
    position = replace(position, snakes=tuple(replace(each, health=health) for each in position.snakes))
    packed = pack(position)
    for you in range(len(position.snakes)):
        ours, expected = (
            value(each, packed, [weight.default for weight in each.weights], you)
            for each in (FITTED, EVALUATORS["hungry"])
        )
        assert ours == pytest.approx(expected, abs=1e-12)


def lengths(*parts: int) -> Position:
    """Return a 10x10 board with straight snakes of these lengths."""
    snakes = (snake(str(y), " ".join(f"{x}{y}" for x in range(length))) for y, length in enumerate(parts))
    return Position(10, 10, tuple(snakes))


@pytest.mark.parametrize("name", ["area", "share", "length"])
def test_weights_move_from_early_to_late(name: str) -> None:
    """Bodies that cover a quarter of the board are half way between the two."""
    unequal = replace(lengths(3, 2, 10, 10), snakes=lengths(10, 10, 3, 2).snakes[::-1])
    assert sum(len(each.body) for each in unequal.snakes) == 25
    early, late = (value_of(unequal, NONE | {which: 1.0}) for which in (name, f"{name}_late"))
    assert early == pytest.approx(late) != 0.0
    assert value_of(unequal, NONE | {name: 1.0, f"{name}_late": 1.0}) == pytest.approx(2 * early)
    sparse = lengths(2, 3)
    early, late = (value_of(sparse, NONE | {which: 1.0}) for which in (name, f"{name}_late"))
    assert early == pytest.approx(9 * late) != 0.0


FULL = Position(4, 4, (snake("a", "00 00 00 00 00 00"), snake("b", "01 11 10 10 10")))
"""Bodies cover more than half of the board, and the first snake has no room."""


@pytest.mark.parametrize("name", ["area", "share", "room", "length"])
def test_some_weights_count_in_a_crowd_alone(name: str) -> None:
    """By the share of the snakes beyond two: a half with four, nothing in a duel."""
    crowd, duel = lengths(2, 3, 3, 3), lengths(2, 3)
    plain = {name: 1.0, f"{name}_late": 1.0}
    assert value_of(crowd, NONE | {f"{name}_crowd": 1.0}) == pytest.approx(value_of(crowd, NONE | plain) / 2)
    assert value_of(duel, NONE | {f"{name}_crowd": 1.0}) == 0.0


BEHIND = Position(11, 11, (snake("a", "55 54 53"), snake("b", "A9 A8 A7 A6 A5 A4 A3 A2")))


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        ("ratio", BEHIND, replace(BEHIND, snakes=(snake("a", "05 04 03"), BEHIND.snakes[1]))),
        ("relative", lengths(5, 3), lengths(3, 5)),
        ("colours", BEHIND, FULL),
        ("tail", BEHIND, Position(5, 5, (snake("a", "00 00 00"), snake("b", "11 10 20 21 31 01 02")))),
        ("famine", replace(BEHIND, snakes=(BEHIND.snakes[0], snake("b", "A9 A8", 10))), BEHIND),
        ("threat", BEHIND, replace(BEHIND, snakes=(BEHIND.snakes[0], snake("b", "57 58 59 5A")))),
        ("prey", replace(BEHIND, snakes=(BEHIND.snakes[0], snake("b", "57 58"))), BEHIND),
        ("edge", BEHIND, replace(BEHIND, snakes=(snake("a", "05 04 03"), BEHIND.snakes[1]))),
    ],
)
def test_terms_tell_better_from_worse(name: str, better: Position, worse: Position) -> None:
    """Each with a weight above 0, and the other way round below."""
    for sign in (1, -1):
        weights = NONE | {name: sign * 0.5}
        assert sign * value_of(better, weights) > sign * value_of(worse, weights)
