"""The compiled crowd search against an unpruned one in plain Python and against paranoid minimax."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings

from searcher.engine.algorithms import crowd
from searcher.engine.position import Direction, Position
from searcher.engine.result import OutcomeKind, Result
from searcher.engine.rules.board import enterable_cells, free_cells
from searcher.engine.rules.packing import pack
from searcher.engine.search.ordering import moves_of
from searcher.interface import SearchAlgorithm
from searcher.positions.move_body import position_in
from searcher.strategies import SEARCHES
from searcher.textbook import battlesnake as textbook
from searcher.textbook.battlesnake import play_turn
from tests.searcher.engine.algorithms.crowd_replies import crowd_moves, likely_move
from tests.searcher.engine.algorithms.test_every_search import CROWD
from tests.searcher.engine.positions import (
    board_of,
    random_position,
    randoms,
    snake,
)
from tests.searcher.engine.searches import EVALUATORS, DrawsAsLateLosses, assert_scores, rounded, search
from tests.searcher.engine.turns import call
from tests.searcher.requests import read_body

UNREDUCED = "crowd-unreduced"
"""Crowd search without the reductions of duels, in which what was learnt so far plays a part."""

UP, DOWN, LEFT, RIGHT = Direction

BODIES = Path(__file__).parents[3] / "fixtures" / "bodies"


@pytest.fixture(scope="module", autouse=True)
def _unreduced() -> Iterator[None]:
    """Register the search without reductions."""
    with pytest.MonkeyPatch.context() as patch:
        unreduced = replace(SEARCHES["crowd"], name=UNREDUCED, reduces=False)
        patch.setitem(cast(dict[str, SearchAlgorithm], SEARCHES), UNREDUCED, unreduced)
        yield


def assert_agrees(position: Position, depth: int, evaluator: str) -> None:
    """Assert that the score at the depth reached is the oracle's, the move a best one, and bounds hold."""
    result = search(position, evaluator, kind=UNREDUCED, depth=depth)
    game = DrawsAsLateLosses(board_of(position))
    scores = crowd_moves(game, position.you, result.depth, rounded(EVALUATORS[evaluator]))
    assert_scores(result, depth, {Direction[move.name]: score for move, score in scores.items()})


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


@settings(max_examples=60)
@given(random=randoms())
def test_against_one_or_none_it_is_paranoid(random: Random) -> None:
    """In duels and alone it counts the nodes of the paranoid search and has its result."""
    position = random_position(random, (1, 2), (3, 11), parts=(2, 12))
    depth, seed = random.randint(1, 8), random.randint(0, 3)
    ours, theirs = (
        search(position, "area", kind=kind, depth=depth, seed=seed) for kind in ("crowd", "paranoid")
    )
    assert replace(ours, elapsed=0.0) == replace(theirs, elapsed=0.0)


def _likely(game: Any, board: Any, snake: int) -> int:
    free = free_cells(game, board)
    moves = moves_of(game, board, snake, free, enterable_cells(game, board, free))
    return int(crowd.likely_move(game, board, snake, moves, free))


@settings(max_examples=100)
@given(randoms())
def test_likely_moves(random: Random) -> None:
    """On random boards, whatever the rules, every snake's likely move is that of the plain model."""
    position = random_position(random, sizes=random.choice([(3, 6), (7, 11), (3, 19)]))
    packed, board = pack(position), board_of(position)
    for number in range(len(position.snakes)):
        assert Direction(call(_likely, packed, number)).name == likely_move(board, number).name


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


def test_one_opponent_at_a_time_leaves_its_likely_move() -> None:
    """In the principal variation all living snakes move, and in a crowd at most one not as is likely."""
    result = search(CROWD, "area", kind="crowd", depth=7)
    board, crowded = board_of(CROWD), 0
    for joint in result.principal_variation:
        moves = {
            player: textbook.Direction[move.name] for player, move in enumerate(joint) if move is not None
        }
        assert set(moves) == set(board.living)
        others = set(moves) - {CROWD.you}
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


@pytest.mark.parametrize("depth", [4, 7, 10])
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


@pytest.mark.parametrize("seed", range(2))
def test_a_certain_death_is_a_loss(seed: int) -> None:
    """A snake shut in by its body is lost whatever the opponents do, and survives as long as it can."""
    result = search(SHUT_IN, kind="crowd", depth=5, seed=seed)
    assert is_lost(result)
    assert result.move is LEFT
    outcome = result.root_moves[0].outcome
    assert outcome is not None
    assert outcome.turns == 3
