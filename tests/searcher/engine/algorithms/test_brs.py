"""The compiled best-reply searches against unpruned ones in plain Python and against paranoid minimax."""

from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.position import Direction, Position
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.textbook import battlesnake as textbook
from tests.searcher.engine.algorithms.best_replies import best_reply, best_reply_plus, default_move, play_some
from tests.searcher.engine.positions import (
    board_of,
    each_size,
    random_position,
    randoms,
    recorded_positions,
)
from tests.searcher.engine.searches import EVALUATORS, PythonSearch, assert_scores, number_of, oracle, search

UP, DOWN, LEFT, RIGHT = Direction

KINDS: dict[str, PythonSearch] = {"brs": best_reply, "brs-plus": best_reply_plus}

FOURS = {entry.name: position_in(entry) for entry in bench_positions() if entry.name.startswith("four")}

GENEROUS = 5.0
"""Seconds within which a search stops at its limit, on any machine."""


def assert_agrees(position: Position, depth: int, kind: str, evaluator: str) -> None:
    """Assert that the score at the depth reached is the oracle's, the move a best one, and bounds hold."""
    result = search(position, evaluator, kind=kind, depth=depth)
    expected = oracle(position, result.depth, EVALUATORS[evaluator], KINDS[kind])
    assert_scores(result, depth, expected)


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60)
@given(random=randoms())
def test_random_positions(kind: str, evaluator: str, random: Random) -> None:
    """On crowded boards of 1 to 4 snakes, whatever the rules, the scores are the oracle's."""
    # Shorter snakes get into the same position after different numbers of turns, and then a result from the
    # table is deeper than the oracle's.
    position = random_position(random, random.choice([(1, 2), (3, 3), (4, 4)]), sizes=(3, 6), parts=(3, 8))
    deepest = 4 - len(position.snakes) // 2
    assert_agrees(position, random.randint(1, deepest), kind, evaluator)


@pytest.mark.parametrize("kind", KINDS)
@each_size
def test_recorded_positions(kind: str, large: bool) -> None:
    """In positions of real games the scores are the oracle's."""
    recorded = recorded_positions(every=80, large=large)
    positions = [position for position in recorded if len(position.snakes) > 2]
    assert len(positions) >= (3 if large else 15)
    for position in positions:
        assert_agrees(position, 1, kind, "area")


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60)
@given(random=randoms())
def test_against_one_or_none_it_is_paranoid_minimax(kind: str, random: Random) -> None:
    """In duels and alone the scores are those of the paranoid search, at depths too great for an oracle."""
    position = random_position(random, (1, 2), (3, 11), parts=(2, 12))
    depth = random.randint(1, 7)
    # One search may end sooner than the other where all moves but one are known to lose.
    depth = min(search(position, "area", kind=each, depth=depth).depth for each in (kind, "paranoid-full"))
    ours, paranoid = (search(position, "area", kind=each, depth=depth) for each in (kind, "paranoid-full"))
    assert ours.depth == paranoid.depth == depth
    assert number_of(ours.root_moves[0]) == number_of(paranoid.root_moves[0])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FOURS)
def test_it_is_deeper_than_paranoid_minimax(kind: str, name: str) -> None:
    """In games of four with the same nodes it completes more turns."""
    ours, paranoid = (search(FOURS[name], kind=each, nodes=100_000) for each in (kind, "paranoid-full"))
    assert ours.depth > paranoid.depth


@pytest.mark.parametrize("kind", KINDS)
def test_the_principal_variation_is_played_as_the_search_assumes(kind: str) -> None:
    """The line is as long as the depth; at most one opponent moves, or leaves its default move."""
    for position in FOURS.values():
        result = search(position, "area", kind=kind, depth=4)
        board = board_of(position)
        for joint in result.principal_variation:
            moves = {player: move for player, move in enumerate(joint) if move is not None}
            others = set(moves) - {position.you}
            if kind == "brs-plus":
                assert set(moves) == set(board.living)
                others = {each for each in others if moves[each].name != default_move(board, each).name}
            assert len(others) == 1 if kind == "brs" else len(others) <= 1
            board = play_some(
                board, {player: textbook.Direction[move.name] for player, move in moves.items()}
            )
        assert len(result.principal_variation) >= result.depth
