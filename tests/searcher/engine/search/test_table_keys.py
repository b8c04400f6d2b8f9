"""Keys of positions: what they distinguish, and what they don't."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from searcher.engine.jit.words import int64
from searcher.engine.position import Direction, Position, Ruleset
from searcher.engine.rules.packing import pack
from searcher.engine.search import table
from tests.searcher.engine.positions import random_moves, random_position, randoms, snake, unpacked
from tests.searcher.engine.turns import call, play

UP, DOWN, LEFT, RIGHT = Direction


def _key(game: Any, board: Any, unused: int) -> int:
    return int64(table.key_of(board))


BASE = Position(7, 7, (snake("a", "33 32 31 31", 50), snake("b", "55 54 53", 60)), ((0, 0), (6, 6)))


def key_of(position: Position) -> int:
    """Return the key of a position."""
    return call(_key, pack(position))


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, food=((0, 0),)),
        replace(BASE, food=((0, 0), (6, 5))),
        replace(BASE, snakes=(snake("a", "33 32 31 31", 49), BASE.snakes[1])),
        replace(BASE, snakes=(snake("a", "33 32 31", 50), BASE.snakes[1])),
        replace(BASE, snakes=(snake("a", "33 32 31 31 31", 50), BASE.snakes[1])),
        replace(BASE, snakes=(snake("a", "31 32 33 33", 50), BASE.snakes[1])),
        replace(BASE, snakes=(snake("a", "33 32 31 30", 50), BASE.snakes[1])),
        replace(BASE, snakes=(snake("a", "33 32 42 42", 50), BASE.snakes[1])),
        replace(BASE, snakes=(snake("a", "33 32 31 31", 60), snake("b", "55 54 53", 50))),
        replace(BASE, snakes=BASE.snakes[:1]),
        replace(BASE, snakes=BASE.snakes[1:]),
        replace(BASE, snakes=BASE.snakes[::-1]),
    ],
)
def test_another_position_has_another_key(other: Position) -> None:
    """Food, health, growth, the order of a body and its snake are all part of the key."""
    assert key_of(other) != key_of(BASE)


@settings(max_examples=80)
@given(randoms())
def test_a_key_is_the_position_alone(random: Random) -> None:
    """A position that was played has the key of the same position packed directly."""
    position = random_position(random, snakes=(2, 4), sizes=(3, 9))
    packed = pack(position)
    for _ in range(5):
        packed = play(packed, random_moves(random, position))
        again = pack(unpacked(packed, position), packed.shape)
        if len(unpacked(packed, position).snakes) == len(position.snakes):
            assert call(_key, packed) == call(_key, again)


def test_no_two_of_many_share_a_key() -> None:
    """No two of thousands of positions from random games have the same key."""
    random, keys, positions = Random(7), set(), set()
    for _ in range(300):
        position = random_position(random, snakes=(2, 2), sizes=(7, 7), rulesets=("standard",))
        packed = pack(position)
        for _ in range(10):
            packed = play(packed, random_moves(random, position))
            left = unpacked(packed, position)
            food = tuple(sorted(left.food))
            positions.add((tuple((each.id, each.health, each.body) for each in left.snakes), food))
            keys.add(call(_key, packed))
    assert len(positions) > 800
    assert len(keys) == len(positions)


def test_the_turn_counts_only_where_hazards_close_in() -> None:
    """The same position on a later turn has another key only if hazards close in."""
    for ruleset, differs in ((Ruleset("royale", 14), False), (Ruleset("royale", 14, 25), True)):
        packed = play(pack(replace(BASE, ruleset=ruleset)), [UP, UP])
        key = call(_key, packed)
        packed.board["turns"] = 0
        assert (call(_key, packed) != key) is differs
