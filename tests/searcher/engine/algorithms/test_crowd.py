"""The compiled crowd search against an unpruned one in plain Python and against paranoid minimax."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings

from searcher.engine.position import Direction, Position
from searcher.engine.result import OutcomeKind, Result, StopReason
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
from tests.searcher.engine.searches import EVALUATORS, DrawsAsLateLosses, assert_scores, rounded, search
from tests.searcher.requests import read_body

UNREDUCED = "crowd-unreduced"
"""Crowd search without the reductions of duels, in which what was learnt so far plays a part."""

UP, DOWN, LEFT, RIGHT = Direction

BODIES = Path(__file__).parents[3] / "fixtures" / "bodies"

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
    """Return each legal move's score at a depth by the search in plain Python."""
    game = DrawsAsLateLosses(board_of(position))
    scores = crowd_moves(game, position.you, depth, rounded(EVALUATORS[evaluator]))
    return {Direction[move.name]: score for move, score in scores.items()}


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


@pytest.mark.parametrize("threads", [1, 2])
def test_threads(threads: int) -> None:
    """With one thread and with two the answer is a legal move, with a score for each root move."""
    for position in FOURS.values():
        legal = textbook_moves(board_of(position), position.you)
        result = search(position, "area", kind="crowd", depth=5, threads=threads)
        assert result.move in legal
        assert {found.move for found in result.root_moves} == set(legal)
        assert result.depth == 5


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


SURROUNDED = Position(
    7,
    7,
    (
        snake("a", "25 24 23 13 14 15 15"),
        snake("b", "44 43 42 32"),
        snake("c", "62 52 51 51 51", health=17),
        snake("d", "21 11 10 00 00", health=20),
    ),
    ((5, 0), (0, 6), (0, 5)),
    you=1,
)
"""Three snakes that act as one can kill the one to move in four turns; none of them has a reason to."""

SHUT_IN = Position(
    9,
    7,
    (
        snake("a", "20 21 31 41 40 50 51 52 42 32 22 12 11 01 02 03 13 23 33 43 53"),
        snake("b", "86 85 84"),
        snake("c", "66 65 64"),
    ),
)
"""The snake to move is shut in by its own body, with two cells on its left and one on its right."""


def is_lost(result: Result) -> bool:
    """Return whether a result claims that every move loses."""
    outcomes = [found.outcome for found in result.root_moves]
    return all(outcome is not None and outcome.kind is OutcomeKind.LOSS for outcome in outcomes)


def test_in_a_duel_a_loss_is_believed() -> None:
    """One opponent needs no coalition: the loss is proven at once and ends the search."""
    result = search(Position(9, 7, SHUT_IN.snakes[:2]), kind="crowd", depth=8, root_moves=(LEFT,))
    assert result.stop_reason is StopReason.DECIDED
    assert is_lost(result)


@pytest.mark.parametrize("depth", [4, 5, 6, 7, 8, 9, 10])
def test_a_coalition_is_no_proof(depth: int) -> None:
    """Where paranoid minimax gives up all moves, crowd search keeps them all, and may be deeper."""
    assert is_lost(search(SURROUNDED, kind="paranoid-full", depth=4))
    assert is_lost(search(SURROUNDED, kind="paranoid", depth=depth))
    assert all(found.outcome is None for found in search(SURROUNDED, kind="crowd", depth=depth).root_moves)


def test_a_recorded_coalition() -> None:
    """Paranoid minimax gives up a game of four that went on for many turns; crowd search doesn't."""
    position = position_in(read_body(BODIES / "four-hunted.json"))
    assert is_lost(search(position, "balanced", kind="paranoid", nodes=20_000))
    assert not is_lost(search(position, "balanced", kind="crowd", nodes=20_000))


def test_a_recorded_hunger() -> None:
    """A small hungry snake among three long ones is not lost yet, at any depth that the nodes reach."""
    position = position_in(read_body(BODIES / "four-hungry.json"))
    seen: list[Result] = []
    search(position, "balanced", kind="crowd", nodes=100_000, on_depth=seen.append)
    assert seen[-1].depth >= 7
    assert not any(is_lost(result) for result in seen)


@pytest.mark.parametrize("seed", range(4))
def test_a_certain_death_is_a_loss(seed: int) -> None:
    """A snake shut in by its body is lost whatever the opponents do, and survives as long as it can."""
    result = search(SHUT_IN, kind="crowd", depth=5, seed=seed)
    assert is_lost(result)
    assert result.move is LEFT
    outcome = result.root_moves[0].outcome
    assert outcome is not None
    assert outcome.turns == 3


def test_two_threads_keep_what_a_coalition_needs() -> None:
    """With a helper the answer is a legal move of a position that is not lost, too."""
    for _ in range(5):
        result = search(SURROUNDED, kind="crowd", depth=8, threads=2)
        assert not is_lost(result)
        assert result.move in textbook_moves(board_of(SURROUNDED), SURROUNDED.you)
