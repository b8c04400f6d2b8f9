"""The compiled crowd search against an unpruned one in plain Python and against paranoid minimax."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings

from searcher.engine.position import Direction, Position
from searcher.engine.result import StopReason
from searcher.engine.search.score import is_loss
from searcher.interface import SearchAlgorithm
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.strategies import SEARCHES
from searcher.textbook import battlesnake as textbook
from searcher.textbook.battlesnake import play_turn
from tests.searcher.engine.algorithms.crowd_replies import crowd_moves, likely_move
from tests.searcher.engine.positions import (
    board_of,
    random_position,
    randoms,
    recorded_positions,
    snake,
    textbook_moves,
)
from tests.searcher.engine.searches import EVALUATORS, assert_scores, oracle, search

UNREDUCED = "crowd-unreduced"
"""Crowd search without the reductions of duels, in which what was learnt so far plays a part."""

UP = Direction.UP

EVERY = 50
"""Of the recorded positions one in so many is searched."""

FOURS = {entry.name: position_in(entry) for entry in bench_positions() if entry.name.startswith("four")}


@pytest.fixture(scope="module", autouse=True)
def _unreduced() -> Iterator[None]:
    """Register the search without reductions."""
    with pytest.MonkeyPatch.context() as patch:
        unreduced = replace(SEARCHES["crowd"], name=UNREDUCED, reduces=False)
        patch.setitem(cast(dict[str, SearchAlgorithm], SEARCHES), UNREDUCED, unreduced)
        yield


def expected_scores(position: Position, depth: int, evaluator: str) -> dict[Direction, int]:
    """Return each legal move's score after all depths up to this one, with trust raised where all lose."""
    trust, scores = 0, dict[Direction, int]()
    for turns in range(1, depth + 1):
        scores = _scores(position, turns, evaluator, trust)
        while len(position.snakes) > 2 and is_loss(max(scores.values())) and trust < turns:
            trust += 1
            scores = _scores(position, turns, evaluator, trust)
    return scores


def _scores(position: Position, depth: int, evaluator: str, trust: int) -> dict[Direction, int]:
    return oracle(position, depth, EVALUATORS[evaluator], partial(crowd_moves, trust=trust))


def assert_agrees(position: Position, depth: int, evaluator: str) -> None:
    """Assert that the score at the depth reached is the oracle's, the move a best one, and bounds hold."""
    result = search(position, evaluator, kind=UNREDUCED, depth=depth)
    expected = expected_scores(position, result.depth, evaluator)
    assert_scores(result, depth, expected)


@pytest.mark.parametrize("evaluator", EVALUATORS)
@settings(max_examples=60)
@given(random=randoms())
def test_random_positions(evaluator: str, random: Random) -> None:
    """On crowded boards of 3 and 4 snakes, whatever the rules, the scores are the oracle's."""
    position = random_position(random, (3, 4), sizes=(4, 7), parts=(4, 8))
    deepest = 4 - len(position.snakes) // 2
    assert_agrees(position, random.randint(1, deepest), evaluator)


@pytest.mark.parametrize("evaluator", EVALUATORS)
@settings(max_examples=50)
@given(random=randoms())
def test_positions_that_become_duels(evaluator: str, random: Random) -> None:
    """Where hunger leaves a single opponent within the depth, the rest is paranoid minimax."""
    position = random_position(random, (3, 3), sizes=(4, 6), parts=(4, 6), rulesets=["standard", "wrapped"])
    starving = (position.you + 1) % len(position.snakes)
    snakes = tuple(
        replace(each, health=1 if number == starving else 50) for number, each in enumerate(position.snakes)
    )
    assert_agrees(replace(position, snakes=snakes), 3, evaluator)


@pytest.mark.parametrize(("snakes", "depth"), [(3, 3), (4, 2)])
def test_recorded_positions(snakes: int, depth: int) -> None:
    """In positions of real games the scores are the oracle's."""
    positions = [position for position in recorded_positions() if len(position.snakes) == snakes][::EVERY]
    assert len(positions) >= 10
    for position in positions:
        assert_agrees(position, depth, "length")


@pytest.mark.parametrize("name", FOURS)
def test_few_turns_have_no_reductions(name: str) -> None:
    """In games of four the search below five turns is the same as without reductions."""
    ours, unreduced = (search(FOURS[name], "area", kind=kind, depth=3) for kind in ("crowd", UNREDUCED))
    assert (ours.nodes, ours.root_moves) == (unreduced.nodes, unreduced.root_moves)


@settings(max_examples=60)
@given(random=randoms())
def test_against_one_or_none_it_is_paranoid(random: Random) -> None:
    """In duels and alone it counts the nodes of the paranoid search and has its result."""
    position = random_position(random, (1, 2), (3, 11), parts=(2, 12))
    depth, seed = random.randint(1, 8), random.randint(0, 3)
    results = []
    for kind in ("crowd", "paranoid"):
        results.append(search(position, "area", kind=kind, depth=depth, seed=seed))
    ours, theirs = results
    assert (ours.nodes, ours.evaluations, ours.table_hits) == (
        theirs.nodes,
        theirs.evaluations,
        theirs.table_hits,
    )
    assert (ours.move, ours.depth, ours.stop_reason) == (theirs.move, theirs.depth, theirs.stop_reason)
    assert ours.root_moves == theirs.root_moves
    assert ours.principal_variation == theirs.principal_variation


OPEN = Position(
    19,
    19,
    (
        snake("a", "33 32 31 30"),
        snake("b", "cc cd ce ce"),
        snake("c", "3c 2c 1c 0c"),
        snake("d", "c3 d3 e3 e3"),
    ),
)
"""Four equal snakes far apart, each with three moves."""


def test_a_turn_has_a_reply_for_each_move_of_an_opponent() -> None:
    """Three opponents have one likely reply together, and two others each: seven nodes and evaluations."""
    result = search(OPEN, kind="crowd", depth=1, root_moves=(UP,))
    assert (result.nodes, result.evaluations) == (7, 7)


def test_a_far_reply_costs_a_turn() -> None:
    """Two turns deep only the likely reply of a crowd that is far away is searched for a second turn."""
    first = search(OPEN, kind="crowd", depth=1, root_moves=(UP,)).nodes
    result = search(OPEN, kind="crowd", depth=2, root_moves=(UP,))
    assert result.nodes - first < 7 + 2 * 3 * 7


def test_it_is_deeper_than_paranoid_minimax() -> None:
    """In games of four with the same nodes it completes more turns than the unreduced paranoid search."""
    for position in FOURS.values():
        ours, paranoid = (search(position, kind=kind, nodes=100_000) for kind in ("crowd", "paranoid-full"))
        assert ours.depth > paranoid.depth


def test_legal_moves_at_any_limit() -> None:
    """The search counts exactly as many nodes as its limit allows, and answers with a legal move."""
    for position in FOURS.values():
        for nodes in (1, 7, 100, 5000):
            result = search(position, kind="crowd", nodes=nodes)
            assert (result.nodes, result.stop_reason) == (nodes, StopReason.NODES)
            assert result.move in textbook_moves(board_of(position), position.you)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads(threads: int) -> None:
    """With one thread and with two the answer is a legal move, with a score for each root move."""
    for position in FOURS.values():
        legal = textbook_moves(board_of(position), position.you)
        result = search(position, "area", kind="crowd", depth=5, threads=threads)
        assert result.move in legal
        assert {found.move for found in result.root_moves} == set(legal)
        assert result.depth == 5


def test_it_repeats_exactly() -> None:
    """A repeated search counts the same nodes and has the same result."""
    for seed in (0, 5):
        first, second = (search(FOURS["four-b"], "area", kind="crowd", depth=6, seed=seed) for _ in range(2))
        assert first.nodes > 1000
        assert (first.nodes, first.root_moves) == (second.nodes, second.root_moves)
        assert first.principal_variation == second.principal_variation


def test_one_opponent_at_a_time_leaves_its_likely_move() -> None:
    """In the principal variation all living snakes move, and in a crowd at most one not as is likely."""
    for position in FOURS.values():
        result = search(position, "area", kind="crowd", depth=7)
        board, crowded = board_of(position), 0
        for joint in result.principal_variation:
            moves = {
                player: textbook.Direction[move.name] for player, move in enumerate(joint) if move is not None
            }
            assert set(moves) == set(board.living)
            others = set(moves) - {position.you}
            if len(others) > 1:
                crowded += 1
                assert sum(moves[each] != likely_move(board, each) for each in others) <= 1
            board = play_turn(board, moves)
        assert crowded > 0
        assert 0 < len(result.principal_variation) <= result.depth
