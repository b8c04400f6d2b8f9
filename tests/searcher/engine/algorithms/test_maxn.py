"""The compiled MaxN against the textbook's, which is in plain Python and unpruned."""

from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.position import Direction, Position, Ruleset
from searcher.engine.result import Outcome, OutcomeKind, Result, StopReason
from tests.searcher.engine.algorithms.test_cut_short import assert_line_is_legal
from tests.searcher.engine.positions import random_position, randoms, snake
from tests.searcher.engine.searches import EVALUATORS, assert_agrees, depth_for, search

LEAVES = 250
"""The most leaves that the oracle has to search; it evaluates each for every snake."""


@pytest.mark.parametrize("evaluator", EVALUATORS)
@settings(max_examples=80)
@given(random=randoms())
def test_random_positions(evaluator: str, random: Random) -> None:
    """On crowded boards of 1 to 4 snakes, whatever the rules, every score is the oracle's.

    Short snakes choose between deaths, draws and kills.
    """
    snakes, most = random.choice([((1, 1), 9), ((2, 2), 9), ((3, 4), 9), ((2, 4), 5), ((2, 4), 5)])
    position = random_position(random, snakes, sizes=(3, 7), parts=(2, most))
    assert_agrees(position, depth_for(position, random, LEAVES), evaluator, "maxn")


def test_every_node_is_a_joint_move_and_every_leaf_is_evaluated_for_each_snake() -> None:
    """Three snakes with three moves each make 27 nodes at depth one; two turns count both turns' nodes."""
    three = Position(11, 11, (snake("a", "33 32 31 30"), snake("b", "77 78 79 69"), snake("c", "37 38 39")))
    one = search(three, kind="maxn", depth=1)
    assert (one.nodes, one.evaluations) == (27, 3 * 27)
    alone = Position(5, 5, (snake("a", "22 21"),), ruleset=Ruleset("solo"))
    two = search(alone, kind="maxn", depth=2)
    # Four moves, then four again after each: all stay on the board, and none meets the tail that moved on.
    assert (two.nodes, two.evaluations) == (4 + 4 + 4 * 4, 4 + 4 * 4)


def test_a_snake_that_wins_now_tries_no_further_moves() -> None:
    """An opponent that wins with its first move doesn't try its others: the scores would be the same."""
    boxed = Position(7, 7, (snake("boxed", "00 01 11 10 20"), snake("b", "44 45 46")))
    result = search(boxed, kind="maxn", depth=1)
    assert (result.nodes, result.evaluations) == (1, 0)
    assert result.root_moves[0].outcome == Outcome(OutcomeKind.LOSS, 1)


@settings(max_examples=60)
@given(randoms())
def test_the_principal_variation_is_played_by_the_rules(random: Random) -> None:
    """The principal variation is legal, starts with the answer, and lasts to the depth or the game's end."""
    position = random_position(random, (1, 4), (5, 7), parts=(2, 6))
    result = search(position, kind="maxn", depth=3)
    game = assert_line_is_legal(position, result)
    assert not game.to_move or len(result.principal_variation) == result.depth


CORNER = Position(
    7,
    7,
    (snake("me", "01 02 12 22 32"), snake("b", "43 33 23 24"), snake("c", "10 20 30 31 41")),
)
"""My snake is `a`; heads are capital letters; c is as long as my snake.

    . . . . . . .
    . . . . . . .
    . . b . . . .
    . . b b B . .
    a a a a . . .
    A . . c c . .
    . C c c . . .

If I go right, c can meet me head-on there: we both die, and b wins. If c goes left instead, my body closes
the corner behind it, and c dies a turn later. If I go down, c can meet me in the corner; if it doesn't, I
die there a turn later.
"""


def test_paranoid_gives_up_where_maxn_kills() -> None:
    """MaxN shuts c into the corner, because c won't kill itself to hurt me; paranoid does not dare to.

    The source of the idea is "Minimax in Battlesnake": every snake does what is best for itself.
    """
    lost_now = Outcome(OutcomeKind.LOSS, 1)
    given_up = search(CORNER, "area", depth=5)
    assert {found.outcome for found in given_up.root_moves} == {lost_now}
    assert (given_up.move, given_up.depth) == (Direction.DOWN, 1)
    for evaluator in EVALUATORS:
        killing = search(CORNER, evaluator, kind="maxn", depth=5)
        assert killing.move is Direction.RIGHT
        right, down = killing.root_moves
        assert (right.outcome, down.outcome) == (None, Outcome(OutcomeKind.LOSS, 2))
        assert [moves[2] is None for moves in killing.principal_variation] == [False, False, True, True, True]
        assert all(moves[0] is not None for moves in killing.principal_variation)


DOUBTFUL = Position(
    6,
    6,
    (
        snake("a", "12 22 32 32", health=90),
        snake("b", "01 00 10 20 20 20", health=90),
        snake("c", "14 15 25 24 24", health=90),
    ),
)
"""One turn deep a longer snake can meet each of my moves, and seems to lose nothing by it."""


def test_an_expected_loss_does_not_end_the_search() -> None:
    """With three snakes a loss at depth one need not be real: the opponents may have better moves."""
    seen: list[Result] = []
    last = search(DOUBTFUL, "area", kind="maxn", depth=4, on_depth=seen.append)
    assert all(found.outcome == Outcome(OutcomeKind.LOSS, 1) for found in seen[0].root_moves)
    assert (last.depth, last.stop_reason) == (4, StopReason.DEPTH)
    assert last.root_moves[0].outcome is None
    assert last.move is not seen[0].move
