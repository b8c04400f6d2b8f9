"""The compiled paranoid search against the textbook's, which is in plain Python and unpruned."""

from random import Random

import pytest
from hypothesis import example, given, settings

from searcher.engine.position import Position
from searcher.engine.result import OutcomeKind
from searcher.engine.rules.records import shapes_for
from tests.searcher.engine.positions import random_position, randoms, snake
from tests.searcher.engine.searches import EVALUATORS, assert_agrees, depth_for, number_of, search


@pytest.mark.parametrize("evaluator", EVALUATORS)
@settings(max_examples=200)
@given(random=randoms())
def test_random_positions(evaluator: str, random: Random) -> None:
    """On crowded boards of 1 to 4 snakes, whatever the rules, the scores are the oracle's."""
    snakes = random.choice([(1, 1), (2, 2), (2, 2), (3, 4)])
    position = random_position(random, snakes, sizes=(3, 7), parts=(2, 9))
    assert_agrees(position, depth_for(position, random), evaluator)


@settings(max_examples=30)
@given(randoms())
def test_every_shape_searches_the_same(random: Random) -> None:
    """The score at a depth is the same in every shape that holds the position."""
    position = random_position(random, (2, 2), (3, 11), parts=(2, 12))
    shapes = shapes_for(position)
    results = [search(position, "area", depth=4, shape=shape) for shape in shapes]
    assert len(results) == 2
    assert len({(result.depth, number_of(result.root_moves[0])) for result in results}) == 1


DUEL = Position(11, 11, (snake("a", "33 32 31 30"), snake("b", "77 78 79 69")), ((5, 5), (0, 9)))


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_a_seed_changes_only_the_order(evaluator: str) -> None:
    """Other seeds find the same score, search moves in another order, and may play another equal move."""
    results = [search(DUEL, evaluator, depth=5, seed=seed) for seed in range(1, 9)]
    assert len({number_of(result.root_moves[0]) for result in results}) == 1
    assert len({result.nodes for result in results}) > 1


@settings(max_examples=60)
@given(randoms())
@example(Random(1255))
def test_a_proof_in_a_duel_is_true(random: Random) -> None:
    """In a duel a win that the reduced search proves is real, though perhaps later, and no loss is a win."""
    position = random_position(random, (2, 2), sizes=(4, 7), parts=(3, 10))
    moves = search(position, "length", kind="paranoid", depth=6).root_moves
    reduced = moves[0]
    if reduced.outcome is None:
        return
    # A reduced search may prove an end that is beyond its depth.
    depth = max(reduced.depth, reduced.outcome.turns)
    # Without a choice of moves, a search ends as soon as one move alone is not lost.
    asked = tuple(each.move for each in moves)
    full = search(position, "length", kind="paranoid-full", depth=depth, root_moves=asked).root_moves[0]
    assert full.outcome is not None
    assert (full.outcome.kind is OutcomeKind.WIN) == (reduced.outcome.kind is OutcomeKind.WIN)
    if full.outcome.kind is OutcomeKind.WIN:
        assert full.outcome.turns <= reduced.outcome.turns


FAR_APART = Position(
    11,
    11,
    (
        snake("a", "77 87 97 98 88 89 99 A9 A8 A7 A6 A5 95 94 93 83 82", health=97),
        snake("b", "33 23 13 14 24 25 26 36 35 45 44 54 64 65", health=94),
    ),
    ((8, 0), (4, 1), (0, 2), (0, 5), (1, 5), (7, 8), (5, 9), (2, 10), (8, 10)),
)
"""An open duel of snakes too far apart to meet within three turns; one of b's moves is a dead end."""


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_far_snake_does_not_walk_into_a_dead_end(depth: int) -> None:
    """A snake that is limited to one move is not won against because that move leads into a dead end."""
    result = search(FAR_APART, "balanced", kind="paranoid", depth=depth)
    assert result.depth == depth
    assert [found.outcome for found in result.root_moves] == [None] * 3


STARVING = Position(
    7, 5, (snake("a", "43 42 52 53 63 64 54", health=80), snake("b", "04 14 13 23 24", health=7))
)
"""A duel on a board without food: b has seven turns to live, and a has room for as many."""


def test_bounds_replace_a_search_where_they_decide_a_duel() -> None:
    """A win in seven turns is proven five turns deep, where a search without reductions proves nothing."""
    outcome = search(STARVING, "length", kind="paranoid", depth=5).root_moves[0].outcome
    assert outcome is not None
    assert (outcome.kind, outcome.turns) == (OutcomeKind.WIN, 7)
    full = search(STARVING, "length", kind="paranoid-full", depth=5)
    assert [found.outcome for found in full.root_moves] == [None] * len(full.root_moves)
