"""The compiled tree search against the textbook's, and its answers."""

from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.algorithms.search_tree import ROOT
from searcher.engine.position import Direction, Position, Ruleset
from searcher.engine.result import Limits, Outcome, OutcomeKind, Result, StopReason
from tests.searcher.engine.algorithms.mcts_trees import assert_same, engine_tree, textbook_tree
from tests.searcher.engine.algorithms.test_cut_short import assert_line_is_legal
from tests.searcher.engine.algorithms.test_every_search import CROWD, DUEL, LOST, WON
from tests.searcher.engine.positions import (
    board_of,
    random_position,
    randoms,
    snake,
    textbook_moves,
)
from tests.searcher.engine.root.test_deepening import CORRIDOR, TRAPPED
from tests.searcher.engine.searches import EVALUATORS, number_of, oracle, search

UP, DOWN, LEFT, RIGHT = Direction


def assert_agrees(position: Position, evaluator: str, nodes: int, seed: int = 0, depth: int = 120) -> None:
    """Assert that every node of the tree is the textbook's, to the last bit, and that there are no others."""
    # A root move for each legal one, so that the search goes on where a single one is left.
    moves = tuple(textbook_moves(board_of(position), position.you))
    limits = Limits(nodes=nodes, seed=seed, depth=depth, root_moves=moves)
    tree = engine_tree(position, evaluator, limits)
    oracle_tree = textbook_tree(position, evaluator, tree.result.nodes, tree.seed, depth)
    assert assert_same(tree, oracle_tree, position.you, position.turn) == tree.record["used"]


@pytest.mark.parametrize("evaluator", EVALUATORS)
@settings(max_examples=25)
@given(random=randoms())
def test_random_positions(evaluator: str, random: Random) -> None:
    """On crowded boards of 1 to 4 snakes, whatever the rules, the tree is the textbook's."""
    snakes = random.choice([(1, 1), (2, 2), (2, 2), (3, 4)])
    position = random_position(random, snakes, sizes=(3, 6), parts=(2, 9))
    assert_agrees(position, evaluator, random.randint(1, 400), random.randint(0, 9))


@settings(max_examples=30)
@given(randoms())
def test_no_node_is_deeper_than_the_limit(random: Random) -> None:
    """With a limit of depth the tree is the textbook's with the same limit."""
    position = random_position(random, (1, 3), sizes=(4, 6), parts=(2, 6))
    assert_agrees(position, "length", 300, depth=random.randint(1, 4))


def test_a_deep_tree() -> None:
    """Where the lines are long, bodies are those of the line, not of another one that was played later."""
    alone = Position(5, 5, (snake("a", "22 21 20"),), ((0, 0), (4, 4), (0, 4)), ruleset=Ruleset("solo"))
    assert_agrees(alone, "length", 600)
    tunnel = Position(4, 5, (snake("a", "00 01 02 03"), snake("b", "34 33 32 31")), ((2, 2),))
    assert_agrees(tunnel, "length", 600)


@settings(max_examples=40)
@given(randoms())
def test_proven_ends_are_true(random: Random) -> None:
    """A proven win is one against all replies, as early or earlier; a proven loss comes by any replies."""
    position = random_position(random, (2, 3), sizes=(3, 5), parts=(3, 9))
    result = search(position, "length", kind="mcts", nodes=400)
    depths = [found.outcome.turns for found in result.root_moves if found.outcome is not None]
    expected = oracle(position, min(max(depths, default=1), 3), EVALUATORS["length"])
    for found in result.root_moves:
        if found.outcome is not None and found.outcome.turns <= 3:
            if found.outcome.kind is OutcomeKind.WIN:
                assert expected[found.move] >= number_of(found)
            else:
                assert expected[found.move] == number_of(found)


def test_it_ends_where_nothing_is_left_to_find() -> None:
    """The search ends by a proven win, by a proven loss, or if all moves but one are proven to lose."""
    won, lost, forced, dead = (search(each, kind="mcts") for each in (WON, LOST, CORRIDOR, TRAPPED))
    assert (won.stop_reason, won.score) == (StopReason.DECIDED, 1.0)
    assert (lost.stop_reason, lost.move) == (StopReason.ONLY_MOVE, LEFT)
    assert (forced.stop_reason, forced.move) == (StopReason.ONLY_MOVE, UP)
    assert (dead.stop_reason, dead.score) == (StopReason.DECIDED, -1.0)
    assert dead.nodes < 10


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_the_limit_of_depth(depth: int) -> None:
    """With a limit of depth alone the search ends with a line that long, or one to the game's end."""
    result = search(DUEL, kind="mcts", depth=depth)
    assert result.stop_reason is StopReason.DEPTH
    game = assert_line_is_legal(DUEL, result)
    assert result.depth == depth or not game.to_move
    assert all(1 <= found.depth <= depth for found in result.root_moves)


def test_a_tree_that_stops_growing_ends_a_search_with_a_limit_of_depth() -> None:
    """If lines are too short for the limit, and none is certain, the search ends all the same."""
    tunnel = Position(4, 3, (snake("a", "00 01 02 12 11"), snake("b", "20 30 31 32 22")))
    result = search(tunnel, kind="mcts", depth=50, root_moves=(RIGHT,))
    assert (result.stop_reason, result.move) == (StopReason.DEPTH, RIGHT)
    assert result.depth < 50


def test_reports_come_after_twice_as_many_nodes() -> None:
    """Reports are made at 64 nodes, 128 and so on; the answer of the last one has its stop reason."""
    seen: list[Result] = []
    search(CROWD, kind="mcts", nodes=1_000, on_depth=seen.append)
    assert [state.nodes for state in seen] == [64, 128, 256, 512]
    assert [state.stop_reason for state in seen] == [None] * 4
    decided: list[Result] = []
    search(WON, kind="mcts", on_depth=decided.append)
    assert [state.stop_reason for state in decided] == [StopReason.DECIDED]


def test_threads_add_up() -> None:
    """Several threads count their nodes together, prove the same ends and score the same moves."""
    for threads in (2, 3):
        result = search(DUEL, kind="mcts", nodes=3_000, threads=threads)
        assert 3_000 <= result.nodes <= 3_000 * threads
        assert {found.move for found in result.root_moves} == set(textbook_moves(board_of(DUEL), 0))
        assert result.principal_variation[0][0] is result.move
        assert search(WON, kind="mcts", threads=threads).root_moves[0].outcome == Outcome(OutcomeKind.WIN, 1)
        assert search(LOST, kind="mcts", threads=threads).move is LEFT


def test_a_full_tree_is_searched_on() -> None:
    """Once the tree is full no node is added, and the positions next to it still count."""
    iterations = 200_000
    tree = engine_tree(CROWD, "length", Limits(nodes=iterations))
    nodes = tree.record["nodes"]
    assert tree.record["used"] == len(nodes) - 1 < iterations
    assert nodes[ROOT]["visits"] == iterations + 1
    assert nodes[ROOT]["move_visits"][0].sum() == iterations
    assert tree.result.evaluations > 1.5 * iterations
    assert_line_is_legal(CROWD, tree.result)


@settings(max_examples=40)
@given(randoms())
def test_the_principal_variation_is_played_by_the_rules(random: Random) -> None:
    """The line of any search is legal and starts with the answer, and its length is the depth."""
    position = random_position(random, (1, 4), (4, 7), parts=(2, 6))
    # With fewer nodes, all moves that were searched may be lost, and the answer is another one.
    result = search(position, kind="mcts", nodes=random.randint(20, 500))
    assert_line_is_legal(position, result)
    assert len(result.principal_variation) == result.depth > 0
