"""Lower bounds of evaluators: `at_least` never exceeds the value after any reply."""

import ctypes
import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
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
    each_size,
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
"""The most replies to a move that are tried."""

each_evaluator = pytest.mark.parametrize("name", EVALUATORS)


@cache
def _compiled(name: str, shape: Shape) -> tuple[Callable[..., float], Callable[..., float]]:
    """Return the evaluator's compiled `evaluate` and `at_least`."""
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
    """Return the evaluator's value of a board."""
    evaluate, _ = _compiled(name, packed.shape)
    weights = _weights(EVALUATORS[name])
    return evaluate(packed.game.ctypes.data, packed.board.ctypes.data, weights.ctypes.data, you)


def lower_bound(name: str, packed: Packed, you: int, move: Direction) -> float:
    """Return the evaluator's lower bound of a move."""
    _, at_least = _compiled(name, packed.shape)
    weights = _weights(EVALUATORS[name])
    return at_least(packed.game.ctypes.data, packed.board.ctypes.data, weights.ctypes.data, you, int(move))


def _turns(position: Position, move: Direction) -> Iterator[Packed]:
    """Yield the board after my move and each combination of the opponents' legal moves."""
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
    """Yield the lower bounds of a position's moves, each compared with the value after every reply."""
    packed = pack(position)
    for move in textbook_moves(board_of(position), position.you):
        bound = lower_bound(name, packed, position.you, move)
        yield bound
        if bound == NOTHING:
            continue
        for after in _turns(position, move):
            assert _lives(after, position.you)
            if sum(_lives(after, number) for number in range(len(position.snakes))) > 1:
                assert bound <= value(name, after, position.you)


@each_evaluator
@given(randoms())
def test_bounds_hold(name: str, random: Random) -> None:
    """After every reply the snake is alive and its value is at least the bound, in all rulesets."""
    for _ in range(5):
        list(_checked(name, random_position(random, snakes=(1, 4), sizes=(3, 11))))


@each_evaluator
@each_size
def test_bounds_hold_on_boards_of_real_games(name: str, large: bool) -> None:
    """Most moves there have a bound, and every bound holds."""
    positions = recorded_positions(every=9, large=large)
    bounds = [bound for position in positions for bound in _checked(name, position)]
    assert np.mean([bound > NOTHING for bound in bounds]) > 0.5


@each_evaluator
def test_a_bound_is_exact_if_there_is_one_reply(name: str) -> None:
    """The bound is the value after the only reply."""
    in_a_corner = snake("b", "90 91 92 93 94")
    position = Position(10, 11, (snake("a", "33 32 31 30"), in_a_corner), ((5, 5),))
    for move in textbook_moves(board_of(position), 0):
        (after,) = _turns(position, move)
        assert lower_bound(name, pack(position), 0, move) == value(name, after, 0)


@each_evaluator
def test_deadly_moves_have_no_bound(name: str) -> None:
    """A move to a cell of a longer snake, a move that starves and one off the board all have NOTHING."""
    position = Position(
        11, 11, (snake("a", "33 32 31"), snake("b", "53 63 73 83"), snake("c", "99 98 97")), ()
    )
    packed = pack(position)
    assert lower_bound(name, packed, 0, Direction.RIGHT) == NOTHING
    assert lower_bound(name, packed, 0, Direction.LEFT) > NOTHING
    starving = Position(11, 11, (snake("a", "00 01 02", health=1), *position.snakes[1:]), ((1, 0),))
    assert lower_bound(name, pack(starving), 0, Direction.RIGHT) > NOTHING
    assert lower_bound(name, pack(starving), 0, Direction.LEFT) == NOTHING
    assert lower_bound(name, pack(starving), 0, Direction.UP) == NOTHING
