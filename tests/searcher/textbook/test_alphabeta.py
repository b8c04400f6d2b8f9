"""Alpha-beta returns the unpruned scores and evaluates fewer positions."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searcher.textbook.alphabeta import alpha_beta_moves, alpha_beta_score
from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.battlesnake.territory import territory
from searcher.textbook.paranoid import paranoid_moves, paranoid_score
from searcher.textbook.score import estimated
from searcher.textbook.sequential import SequentialGame, sequential_evaluator
from searcher.textbook.tictactoe import TicTacToe, open_lines
from tests.searcher.textbook.boards import recorded_board, recorded_turns
from tests.searcher.textbook.tree_game import Tree

CLASSIC = Tree(
    (((0.3,), (0.9,), (0.8,)), ((0.2,), (0.4,), (0.6,)), ((0.9,), (0.5,), (0.2,))),
    seats=2,
)
"""Three branches of three leaves, scored for the first player."""


def counted(seen: list[float]) -> Callable[[Tree, int], float]:
    """Return an evaluator that records its values in `seen`."""

    def evaluate(game: Tree, player: int) -> float:
        seen.append(game.node[0])
        return float(game.node[0])

    return evaluate


def test_a_refuted_branch_is_cut_off() -> None:
    """After a reply worth 0.2 the middle branch is worse than the first one's 0.3; two leaves are skipped."""
    seen: list[float] = []
    assert alpha_beta_score(CLASSIC, 0, 2, counted(seen)) == estimated(0.3)
    assert seen == [0.3, 0.9, 0.8, 0.2, 0.9, 0.5, 0.2]


def nodes(depth: int) -> st.SearchStrategy[tuple[Any, ...]]:
    """Return a strategy for trees of one depth: one to three branches a node, tenths at the leaves."""
    if not depth:
        return st.tuples(st.integers(-10, 10).map(lambda tenths: tenths / 10))
    return st.lists(nodes(depth - 1), min_size=1, max_size=3).map(tuple)


@given(nodes(4), st.integers(min_value=2, max_value=4))
def test_pruning_changes_no_value(node: tuple[Any, ...], seats: int) -> None:
    """In any tree, with any number of players, pruning leaves the value unchanged."""
    seen: list[float] = []
    unpruned: list[float] = []
    value = alpha_beta_score(Tree(node, seats), 0, 4, counted(seen))
    assert value == paranoid_score(Tree(node, seats), 0, 4, counted(unpruned))
    assert len(seen) <= len(unpruned)


@given(nodes(3), st.integers(-10, 9), st.integers(1, 20))
def test_the_contract_of_the_window(node: tuple[Any, ...], low: int, width: int) -> None:
    """Inside the window the score is exact; at or outside the window it is a bound."""
    alpha, beta = estimated(low / 10), estimated(min(low + width, 10) / 10)
    exact = paranoid_score(Tree(node, 3), 0, 3, counted([]))
    score = alpha_beta_score(Tree(node, 3), 0, 3, counted([]), alpha, beta)
    if score <= alpha:
        assert exact <= score
    elif score >= beta:
        assert exact >= score
    else:
        assert exact == score


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_every_root_move_is_scored_exactly(depth: int) -> None:
    """Every move has its unpruned score, even moves that are not the best."""
    game = TicTacToe("X...O...X")
    assert alpha_beta_moves(game, depth, open_lines) == paranoid_moves(game, depth, open_lines)


def test_snakes_are_pruned_the_same() -> None:
    """In recorded positions with up to four snakes, every candidate move has its unpruned score."""
    evaluate = sequential_evaluator(territory)
    boards = [recorded_board(record) for record in recorded_turns()[::125]]
    for board in (board for board in boards if len(board.snakes) <= 4):
        game = SequentialGame(Battlesnake(board), first=board.living[-1])
        depth = 2 if len(board.snakes) <= 2 else 1
        assert alpha_beta_moves(game, depth, evaluate) == paranoid_moves(game, depth, evaluate), board
