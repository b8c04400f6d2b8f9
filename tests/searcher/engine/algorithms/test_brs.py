"""The compiled best-reply search against an unpruned one in plain Python and against paranoid minimax."""

from random import Random

import pytest
from hypothesis import given, settings

from searcher.textbook import battlesnake as textbook
from tests.searcher.engine.algorithms.best_replies import best_reply, play_some
from tests.searcher.engine.algorithms.test_every_search import CROWD
from tests.searcher.engine.positions import board_of, random_position, randoms
from tests.searcher.engine.searches import EVALUATORS, assert_scores, number_of, oracle, search


@pytest.mark.parametrize("evaluator", EVALUATORS)
@settings(max_examples=60)
@given(random=randoms())
def test_random_positions(evaluator: str, random: Random) -> None:
    """On crowded boards of 1 to 4 snakes, whatever the rules, the scores are the oracle's."""
    # Shorter snakes get into the same position after different numbers of turns, and then a result from the
    # table is deeper than the oracle's.
    position = random_position(random, random.choice([(1, 2), (3, 3), (4, 4)]), sizes=(3, 6), parts=(3, 8))
    depth = random.randint(1, 4 - len(position.snakes) // 2)
    result = search(position, evaluator, kind="brs", depth=depth)
    assert_scores(result, depth, oracle(position, result.depth, EVALUATORS[evaluator], best_reply))


@settings(max_examples=60)
@given(random=randoms())
def test_against_one_or_none_it_is_paranoid_minimax(random: Random) -> None:
    """In duels and alone the scores are those of the paranoid search, at depths too great for an oracle."""
    position = random_position(random, (1, 2), (3, 11), parts=(2, 12))
    depth, kinds = random.randint(1, 7), ("brs", "paranoid-full")
    # One search may end sooner than the other where all moves but one are known to lose.
    depth = min(search(position, "area", kind=each, depth=depth).depth for each in kinds)
    ours, paranoid = (search(position, "area", kind=each, depth=depth) for each in kinds)
    assert ours.depth == paranoid.depth == depth
    assert number_of(ours.root_moves[0]) == number_of(paranoid.root_moves[0])


def test_the_principal_variation_is_played_as_the_search_assumes() -> None:
    """The line is as long as the depth, and one opponent moves on each turn."""
    result = search(CROWD, "area", kind="brs", depth=4)
    board = board_of(CROWD)
    for joint in result.principal_variation:
        moves = {player: move for player, move in enumerate(joint) if move is not None}
        assert len(set(moves) - {CROWD.you}) == 1
        board = play_some(board, {player: textbook.Direction[move.name] for player, move in moves.items()})
    assert len(result.principal_variation) >= result.depth
