"""The search of simultaneous moves against an exhaustive matrix solution, and the moves that it draws."""

import math
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings

from searcher.engine.position import Direction, Position, Ruleset
from searcher.engine.result import OutcomeKind, Result, StopReason
from searcher.engine.rules.records import shapes_for
from searcher.engine.search.clock import Clock
from searcher.engine.search.score import HEURISTIC_LIMIT, is_loss, is_proven
from searcher.textbook.battlesnake import Battlesnake
from tests.searcher.engine.algorithms.simultaneous_oracle import (
    as_payoff,
    matrix_value,
    root_payoffs,
    solution,
)
from tests.searcher.engine.positions import (
    board_of,
    each_size,
    random_position,
    randoms,
    recorded_positions,
    snake,
    textbook_moves,
)
from tests.searcher.engine.searches import EVALUATORS, number_of, search

UP, DOWN, LEFT, RIGHT = Direction

DUEL = Position(11, 11, (snake("a", "33 32 31 30"), snake("b", "77 78 79 69")), ((5, 5), (0, 9)))

MIXED = Position(
    6,
    6,
    (snake("a", "42 52 53 43"), snake("b", "34 35 25 24 23 13", 89)),
    ((0, 5),),
    you=1,
)
"""Two turns deep no pure strategy is safe: `b` has to go down three times out of ten, else right."""

EQUALS = Position(7, 7, (snake("a", "23 13 03"), snake("b", "43 53 63")), ((3, 3),))
"""Two snakes of equal length with food between their heads."""


def search_simultaneous(position: Position, evaluator: str = "area", **limits: Any) -> Result:
    """Search without a deadline."""
    return search(position, evaluator, kind="simultaneous", clock=Clock(math.inf), **limits)


def legal_moves(position: Position) -> list[Direction]:
    """Return the legal moves of the snake to move."""
    return textbook_moves(board_of(position), position.you)


def crowded_duels(count: int) -> list[Position]:
    """Return duels with a choice of moves, some of which lose soon."""
    source = Random(11)
    positions = [random_position(source, (2, 2), (5, 7), parts=(3, 12)) for _ in range(count)]
    return [each for each in positions if len(each.snakes) == 2 and len(legal_moves(each)) > 1]


def assert_agrees(position: Position, depth: int, evaluator: str) -> None:
    """Assert that the score at the depth reached is the oracle's: within a unit a turn, exact if proven."""
    result = search_simultaneous(position, evaluator, depth=depth)
    payoffs = root_payoffs(position, result.depth, EVALUATORS[evaluator])
    expected = matrix_value(list(payoffs.values()))
    found = number_of(result.root_moves[0])
    assert result.depth == depth or result.stop_reason in (StopReason.DECIDED, StopReason.ONLY_MOVE)
    assert abs(found - expected) <= result.depth, (found, float(expected))
    assert is_proven(found) == is_proven(round(expected))
    assert not is_proven(found) or found == expected
    assert result.root_moves[0].move == result.move
    assert {each.move for each in result.root_moves} == set(payoffs)
    if not is_proven(found):
        # The support of my strategy has no move that is worth less against the opponents' optimal strategy.
        theirs = solution(list(payoffs.values())).columns
        mine = [as_payoff(score) for score in payoffs[result.move]]
        against = sum(probability * score for probability, score in zip(theirs, mine, strict=True))
        # Like the value itself, clamped to a heuristic.
        assert max(against, 1 - HEURISTIC_LIMIT) >= expected - result.depth


@pytest.mark.parametrize("evaluator", EVALUATORS)
@settings(max_examples=200)
@example(random=Random(510509))
@given(random=randoms())
def test_random_positions(evaluator: str, random: Random) -> None:
    """On crowded boards of 1 to 3 snakes, whatever the rules, the scores are the oracle's."""
    snakes = random.choice([(1, 1), (2, 2), (2, 2), (2, 2), (3, 3)])
    position = random_position(random, snakes, sizes=(3, 7), parts=(2, 9))
    assert_agrees(position, random.randint(1, 1 if snakes == (3, 3) else 3), evaluator)


@each_size
def test_recorded_positions(large: bool) -> None:
    """In positions of real games the scores are the oracle's, also where a crowd knows my move."""
    positions = recorded_positions(every=140, large=large)
    crowds = [position for position in positions if len(position.snakes) > 2]
    assert crowds
    for position in crowds[:2] if large else positions:
        assert_agrees(position, 2 if len(position.snakes) <= 2 else 1, "area")


def test_wins_are_those_of_alpha_beta() -> None:
    """The search proves the same wins as `paranoid` on the same turns, and no losses that it doesn't."""
    kinds = Counter[OutcomeKind | None]()
    for position in crowded_duels(150):
        results = search_simultaneous(position, depth=4), search(position, "area", depth=4)
        if StopReason.ONLY_MOVE in (result.stop_reason for result in results):
            continue
        ours, theirs = (result.root_moves[0] for result in results)
        kinds[ours.outcome.kind if ours.outcome else None] += 1
        wins = [each.outcome for each in (ours, theirs) if each.outcome and each.score == 1]
        assert len(wins) in (0, 2)
        assert len(set(wins)) <= 1
        if is_loss(number_of(ours)):
            assert number_of(theirs) <= number_of(ours)
    assert kinds[OutcomeKind.WIN]
    assert kinds[OutcomeKind.LOSS]
    assert kinds[None]


def test_the_longest_of_lost_lines() -> None:
    """In a lost position the answer is the move that survives longest."""
    found = 0
    for position in crowded_duels(150):
        result = search_simultaneous(position, depth=6, nodes=20_000)
        if result.stop_reason is StopReason.DECIDED and result.score < 0:
            outcomes = [each.outcome for each in result.root_moves]
            turns = [outcome.turns for outcome in outcomes if outcome]
            assert turns[0] == max(turns) == len(result.principal_variation)
            assert len(turns) == len(outcomes)
            found += len(turns) > 1
    assert found


def test_searches_repeat_by_their_seed() -> None:
    """A repeated search has the same counts and result, also where the move is drawn."""
    for position in (DUEL, MIXED):
        for seed in (0, 1, 12345):
            first, *others = [search_simultaneous(position, depth=5, seed=seed) for _ in range(3)]
            for other in others:
                assert replace(other, elapsed=0.0) == replace(first, elapsed=0.0)


def test_moves_are_drawn_by_the_mixed_strategy() -> None:
    """Over many seeds each move is as frequent as in the solution, and every score is the same."""
    payoffs = root_payoffs(MIXED, 2, EVALUATORS["area"])
    strategy = solution(list(payoffs.values())).rows
    results = [search_simultaneous(MIXED, depth=2, seed=seed) for seed in range(600)]
    drawn = Counter(result.move for result in results)
    for move, chance in zip(payoffs, strategy, strict=True):
        spread = math.sqrt(chance * (1 - chance) * len(results))
        assert 0.2 < chance < 0.8
        assert abs(drawn[move] - chance * len(results)) < 4 * spread
    assert len({result.score for result in results}) == 1


def test_turns_and_snakes_draw_independently() -> None:
    """With one seed the draws of two turns, and of two snakes, do not depend on each other."""
    seeds = range(60)
    now, later = (
        [search_simultaneous(replace(MIXED, turn=turn), depth=2, seed=seed).move for seed in seeds]
        for turn in (0, 1)
    )
    assert {DOWN, RIGHT} == set(now) == set(later)
    assert now != later
    turned = replace(MIXED, snakes=MIXED.snakes[::-1], you=0)
    assert now != [search_simultaneous(turned, depth=2, seed=seed).move for seed in seeds]


def test_it_meets_an_equal_snake() -> None:
    """The search takes food between two equal snakes, which `paranoid` avoids, and scores it as a draw."""
    assert search(EQUALS, "length", depth=1).move is not RIGHT
    for seed in range(5):
        result = search_simultaneous(EQUALS, "length", depth=1, seed=seed)
        assert (result.move, result.score) == (RIGHT, 0.0)


def test_it_avoids_a_longer_snake() -> None:
    """The search leaves the same food to a longer snake, whatever the seed."""
    longer = replace(EQUALS, snakes=(EQUALS.snakes[0], snake("b", "43 53 63 64")))
    for seed in range(20):
        assert search_simultaneous(longer, "length", depth=2, seed=seed).move is not RIGHT


def test_a_draw_is_in_the_middle() -> None:
    """If both snakes must meet head-on on the next turn, the score is 0, not nearly a loss."""
    tunnel = Position(4, 3, (snake("a", "00 01 02 12 11"), snake("b", "20 30 31 32 22")))
    result = search_simultaneous(tunnel, "length", depth=1)
    assert (result.move, result.score, result.root_moves[0].outcome) == (RIGHT, 0.0, None)


@settings(max_examples=20)
@given(randoms())
def test_every_shape_searches_the_same(random: Random) -> None:
    """The score at a depth is the same in the shapes that hold the position."""
    position = random_position(random, (2, 2), (3, 11), parts=(2, 12))
    shapes = [shape for shape in shapes_for(position) if shape.rows == 11][:2]
    results = [search_simultaneous(position, depth=4, shape=shape) for shape in shapes]
    assert len({(result.depth, number_of(result.root_moves[0])) for result in results}) == 1


def test_helpers_find_the_same() -> None:
    """Two threads find the same score at a depth as one."""
    one, two = (search_simultaneous(DUEL, depth=7, threads=threads) for threads in (1, 2))
    assert (two.depth, two.stop_reason) == (one.depth, one.stop_reason)
    assert two.score == pytest.approx(one.score, abs=1e-5)


@pytest.mark.parametrize("nodes", [1, 2, 5, 100, 511, 512, 513, 1000, 20_000])
def test_exactly_as_many_nodes(nodes: int) -> None:
    """The search counts exactly as many nodes as its limit allows, and answers with a legal move."""
    result = search_simultaneous(DUEL, nodes=nodes)
    assert (result.nodes, result.stop_reason) == (nodes, StopReason.NODES)
    assert result.move in legal_moves(DUEL)


def test_no_time_at_all() -> None:
    """With the deadline in the past no depth is completed, and the answer is still a legal move."""
    result = search(DUEL, kind="simultaneous", seconds=-1.0)
    assert (result.stop_reason, result.depth, result.nodes) == (StopReason.DEADLINE, 0, 0)
    assert result.move in legal_moves(DUEL)


def test_only_the_given_root_moves() -> None:
    """Only the given root moves are scored and played, an illegal one only if no other is given."""
    position = Position(11, 11, (snake("a", "55"), snake("b", "88 87 86")))
    for given_moves in ((UP,), (LEFT, DOWN), (RIGHT, LEFT, DOWN)):
        result = search_simultaneous(position, depth=3, root_moves=given_moves, seed=3)
        assert result.move in given_moves
        assert {found.move for found in result.root_moves} == set(given_moves)
    assert search_simultaneous(DUEL, depth=2, root_moves=(DOWN, LEFT)).move is LEFT
    assert search_simultaneous(DUEL, depth=2, root_moves=(DOWN,)).move is DOWN


def test_the_principal_variation_is_played_by_the_rules() -> None:
    """The line starts with the answer, is legal, and is as long as the depth or the game."""
    for position in crowded_duels(120):
        result = search_simultaneous(position, depth=4)
        assert result.principal_variation[0][position.you] == result.move
        game = Battlesnake(board_of(position))
        for joint in result.principal_variation:
            moves = {player: move for player, move in enumerate(joint) if move is not None}
            assert list(moves) == game.to_move
            assert all(move in textbook_moves(game.board, player) for player, move in moves.items())
            game = game.play({player: move.name.lower() for player, move in moves.items()})
        over = game.result(position.you) is not None
        assert over or len(result.principal_variation) == result.depth


def test_alone_it_is_a_maximum() -> None:
    """For a snake alone the score is that of `paranoid`."""
    position = Position(7, 7, (snake("a", "33 32 31"),), ((0, 0),), ruleset=Ruleset("solo"))
    for depth in (1, 4, 7):
        assert search_simultaneous(position, depth=depth).score == search(position, "area", depth=depth).score
