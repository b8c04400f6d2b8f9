"""What evaluators say that a move brings at least: never more than any reply leaves."""

import ctypes
import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from searcher.engine.position import Direction, Position
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import WEIGHTS_DTYPE, Packed, Shape
from searcher.engine.search import kernels
from searcher.interface import Evaluator
from searcher.plugins.discovery import discover_evaluators
from searcher.toolkit import NOTHING
from tests.searcher.engine.positions import (
    board_of,
    random_position,
    randoms,
    recorded_positions,
    snake,
    textbook_moves,
)
from tests.searcher.engine.turns import play

EVALUATORS = {
    name: evaluator for name, evaluator in discover_evaluators().evaluators.items() if evaluator.at_least
}

REPLIES = 300
"""The most that are tried of a position."""

each_evaluator = pytest.mark.parametrize("name", EVALUATORS)


@cache
def _compiled(name: str, shape: Shape) -> tuple[Callable[..., float], Callable[..., float]]:
    """The evaluator's two functions."""
    evaluator = EVALUATORS[name]
    assert evaluator.at_least is not None
    evaluate = kernels.evaluator_function(evaluator.evaluate, shape).address
    at_least = kernels.lower_bound_function(evaluator.at_least, shape).address
    records, number = [ctypes.c_void_p] * 3, ctypes.c_int64
    return (
        ctypes.CFUNCTYPE(ctypes.c_double, *records, number)(evaluate),
        ctypes.CFUNCTYPE(ctypes.c_double, *records, number, number)(at_least),
    )


def _weights(evaluator: Evaluator) -> NDArray[np.void]:
    weights = np.zeros(1, dtype=WEIGHTS_DTYPE)
    weights["values"][0, : len(evaluator.weights)] = [weight.default for weight in evaluator.weights]
    return weights


def value(name: str, packed: Packed, you: int) -> float:
    """What the evaluator says of a board."""
    evaluate, _ = _compiled(name, packed.shape)
    weights = _weights(EVALUATORS[name])
    return evaluate(packed.game.ctypes.data, packed.board.ctypes.data, weights.ctypes.data, you)


def least(name: str, packed: Packed, you: int, move: Direction) -> float:
    """What the evaluator says that a move brings at least."""
    _, at_least = _compiled(name, packed.shape)
    weights = _weights(EVALUATORS[name])
    return at_least(packed.game.ctypes.data, packed.board.ctypes.data, weights.ctypes.data, you, int(move))


def _turns(position: Position, move: Direction) -> Iterator[Packed]:
    """The boards after a move of mine and each reply of the others' legal moves."""
    board, packed = board_of(position), pack(position)
    choices = [
        [move] if number == position.you else textbook_moves(board, number)
        for number in range(len(position.snakes))
    ]
    if math.prod(map(len, choices)) <= REPLIES:
        for joint in product(*choices):
            yield play(packed, joint)


def _lives(packed: Packed, number: int) -> bool:
    return bool(packed.board["length"][0][number] > 0)


def _checked(name: str, position: Position) -> Iterator[float]:
    """All bounds of a position's moves, each compared with what every reply leaves."""
    packed = pack(position)
    for move in textbook_moves(board_of(position), position.you):
        bound = least(name, packed, position.you, move)
        yield bound
        if bound == NOTHING:
            continue
        for after in _turns(position, move):
            assert _lives(after, position.you)
            if sum(_lives(after, number) for number in range(len(position.snakes))) > 1:
                assert bound <= value(name, after, position.you)


@each_evaluator
@settings(deadline=None)
@given(randoms())
def test_never_too_much(name: str, random: Random) -> None:
    """Whatever the others reply, the snake lives and its position is worth as much, in all rulesets."""
    for _ in range(5):
        list(_checked(name, random_position(random, snakes=(1, 4), sizes=(3, 11))))


@each_evaluator
def test_on_boards_of_real_games(name: str) -> None:
    """There it says something of most moves, and nothing wrong."""
    bounds = [bound for position in recorded_positions(every=9) for bound in _checked(name, position)]
    assert np.mean([bound > NOTHING for bound in bounds]) > 0.5


@each_evaluator
def test_exact_where_others_have_no_choice(name: str) -> None:
    """With one reply alone it is what the evaluator says of it."""
    in_a_corner = snake("b", "90 91 92 93 94")
    position = Position(10, 11, (snake("a", "33 32 31 30"), in_a_corner), ((5, 5),))
    for move in textbook_moves(board_of(position), 0):
        (after,) = _turns(position, move)
        assert least(name, pack(position), 0, move) == value(name, after, 0)


@each_evaluator
def test_nothing_where_death_may_wait(name: str) -> None:
    """A longer snake may move to the same cell; and so a move that starves, or leaves the board."""
    position = Position(
        11, 11, (snake("a", "33 32 31"), snake("b", "53 63 73 83"), snake("c", "99 98 97")), ()
    )
    packed = pack(position)
    assert least(name, packed, 0, Direction.RIGHT) == NOTHING
    assert least(name, packed, 0, Direction.LEFT) > NOTHING
    starving = Position(11, 11, (snake("a", "00 01 02", health=1), *position.snakes[1:]), ((1, 0),))
    assert least(name, pack(starving), 0, Direction.RIGHT) > NOTHING
    assert least(name, pack(starving), 0, Direction.LEFT) == NOTHING
    assert least(name, pack(starving), 0, Direction.UP) == NOTHING
