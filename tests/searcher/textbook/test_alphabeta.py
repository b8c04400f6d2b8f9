"""The same answers as without pruning, and fewer positions looked at."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searcher.textbook.alphabeta import alpha_beta_moves, alpha_beta_score
from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.battlesnake.territory import territory
from searcher.textbook.inturn import InTurn, whole_turns
from searcher.textbook.paranoid import paranoid_moves, paranoid_score
from searcher.textbook.scores import estimated
from searcher.textbook.tictactoe import TicTacToe, open_lines
from tests.searcher.textbook.boards import recorded_board, recorded_turns
from tests.searcher.textbook.trees import Tree

CLASSIC = Tree(
    (((0.3,), (0.9,), (0.8,)), ((0.2,), (0.4,), (0.6,)), ((0.9,), (0.5,), (0.2,))),
    seats=2,
)
"""Three branches of three leaves, scored for the first player."""


def counted(seen: list[float]) -> Callable[[Tree, int], float]:
    """An evaluator that notes what it was asked."""

    def evaluate(game: Tree, player: int) -> float:
        seen.append(game.node[0])
        return float(game.node[0])

    return evaluate


def test_a_refuted_branch_is_left() -> None:
    """After a reply worth 0.2 the middle branch can't beat the 0.3 in hand: two leaves are not looked at."""
    seen: list[float] = []
    assert alpha_beta_score(CLASSIC, 0, 2, counted(seen)) == estimated(0.3)
    assert seen == [0.3, 0.9, 0.8, 0.2, 0.9, 0.5, 0.2]


def nodes(depth: int) -> st.SearchStrategy[tuple[Any, ...]]:
    """Trees of one depth with one to three branches at each node and tenths at the leaves."""
    if not depth:
        return st.tuples(st.integers(-10, 10).map(lambda tenths: tenths / 10))
    return st.lists(nodes(depth - 1), min_size=1, max_size=3).map(tuple)


@given(nodes(4), st.integers(min_value=2, max_value=4))
def test_pruning_changes_no_value(node: tuple[Any, ...], seats: int) -> None:
    """Over any tree and any number of players the value is that of the search without pruning."""
    seen: list[float] = []
    everything: list[float] = []
    value = alpha_beta_score(Tree(node, seats), 0, 4, counted(seen))
    assert value == paranoid_score(Tree(node, seats), 0, 4, counted(everything))
    assert len(seen) <= len(everything)


@given(nodes(3), st.integers(-10, 9), st.integers(1, 20))
def test_what_a_window_promises(node: tuple[Any, ...], low: int, width: int) -> None:
    """Inside the window the answer is exact; outside it is a bound on the side it says."""
    alpha, beta = estimated(low / 10), estimated(min(low + width, 10) / 10)
    exact = paranoid_score(Tree(node, 3), 0, 3, counted([]))
    answer = alpha_beta_score(Tree(node, 3), 0, 3, counted([]), alpha, beta)
    if answer <= alpha:
        assert exact <= answer
    elif answer >= beta:
        assert exact >= answer
    else:
        assert exact == answer


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_every_root_move_is_scored_exactly(depth: int) -> None:
    """Also moves that are not the best have the score a search without pruning gives them."""
    game = TicTacToe("X...O...X")
    assert alpha_beta_moves(game, depth, open_lines) == paranoid_moves(game, depth, open_lines)


def test_snakes_are_pruned_the_same() -> None:
    """In recorded positions of up to four snakes every candidate move has its unpruned score."""
    evaluate = whole_turns(territory)
    boards = [recorded_board(record) for record in recorded_turns()[::125]]
    for board in (board for board in boards if len(board.snakes) <= 4):
        game = InTurn(Battlesnake(board), first=board.living[-1])
        depth = 2 if len(board.snakes) <= 2 else 1
        assert alpha_beta_moves(game, depth, evaluate) == paranoid_moves(game, depth, evaluate), board
