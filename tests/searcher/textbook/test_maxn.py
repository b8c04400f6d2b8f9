"""MaxN: every player plays for themselves."""

import pytest

from searcher.textbook.agents import best_moves
from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.depth_limited import depth_limited_moves
from searcher.textbook.maxn import maxn_moves, maxn_scores
from searcher.textbook.paranoid import paranoid_moves
from searcher.textbook.score import estimated, lost, won
from searcher.textbook.sequential import SequentialGame
from searcher.textbook.tictactoe import TicTacToe, open_lines
from tests.searcher.textbook.boards import board, snake
from tests.searcher.textbook.tree_game import THREE, Tree, leaf_estimate


def test_every_player_maximizes_their_own_score() -> None:
    """The third player takes its 0.4, which leaves 0 to the second and 0.5 to me: more than on the right."""
    assert maxn_scores(THREE, 3, leaf_estimate) == tuple(map(estimated, (0.5, 0.0, 0.4)))
    assert maxn_moves(THREE, 3, leaf_estimate) == {0: estimated(0.5), 1: estimated(0.2)}


def test_paranoid_and_maxn_choose_differently() -> None:
    """Where the opponents gain more by other moves than by hurting me, only MaxN takes the risk."""
    assert best_moves(maxn_moves(THREE, 3, leaf_estimate)) == [0]
    assert best_moves(paranoid_moves(THREE, 3, leaf_estimate)) == [1]


def test_the_first_of_equal_moves_is_chosen() -> None:
    """An indifferent player takes the first branch, whatever the other scores are."""
    tree = Tree((((0.1, 0.5), (0.9, 0.5)),), seats=2)
    assert maxn_scores(tree, 2, leaf_estimate) == (estimated(0.1), estimated(0.5))


def test_ties_are_broken_against_a_player() -> None:
    """An indifferent player takes the branch that is worst for `against`, or the first if that is itself."""
    tree = Tree((((0.9, 0.5), (0.1, 0.5), (0.0, 0.4)),), seats=2)
    assert maxn_scores(tree, 2, leaf_estimate, against=0) == tuple(map(estimated, (0.1, 0.5)))
    assert maxn_scores(tree, 2, leaf_estimate, against=1) == tuple(map(estimated, (0.9, 0.5)))
    assert maxn_moves(tree, 2, leaf_estimate, against=0) == {0: estimated(0.1)}


@pytest.mark.parametrize("cells", [".........", "X...O....", "X...O..OX"])
def test_a_zero_sum_duel_is_plain_minimax(cells: str) -> None:
    """With two players and opposite scores, MaxN is plain minimax."""
    game = TicTacToe(cells)
    assert maxn_moves(game, 3, open_lines) == depth_limited_moves(game, 3, open_lines)


def test_a_death_keeps_its_turn() -> None:
    """A snake that dies on the first turn is scored by that turn, even if the others play on."""
    boxed = snake("boxed", "00 01 11 10 20")
    game = Battlesnake(board(boxed, snake("b", "44 45 46"), snake("c", "64 65 66")))
    scores = maxn_scores(SequentialGame(game, 0), 2, lambda game, player: 0.0)
    assert scores[0] == lost(1)
    assert scores[1] == scores[2] == estimated(0)


def test_the_last_one_alive_has_won() -> None:
    """When the only opponent is trapped, the win is scored by its turn."""
    game = Battlesnake(board(snake("boxed", "00 01 11 10 20"), snake("b", "44 45 46")))
    assert maxn_scores(SequentialGame(game, 1), 3, lambda game, player: 0.0) == (lost(1), won(1))
