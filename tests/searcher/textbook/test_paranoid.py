"""Paranoid minimax: everybody plays against me."""

from searcher.textbook.depth_limited import depth_limited_moves
from searcher.textbook.paranoid import paranoid_moves
from searcher.textbook.score import estimated
from searcher.textbook.tictactoe import TicTacToe, open_lines
from tests.searcher.textbook.tree_game import THREE, leaf_estimate


def test_opponents_choose_what_is_worst_for_me() -> None:
    """The opponents can hold me to -0.4 on the left, but only to 0 on the right."""
    assert paranoid_moves(THREE, 3, leaf_estimate) == {0: estimated(-0.4), 1: estimated(0.0)}


def test_each_player_is_me_when_to_move() -> None:
    """The second player, to move after the left branch, maximizes its own score."""
    assert paranoid_moves(THREE.play({0: 0}), 2, leaf_estimate) == {0: estimated(0.0), 1: estimated(-0.9)}


def test_with_two_players_it_is_plain_minimax() -> None:
    """With a single opponent, paranoid minimax is plain minimax."""
    for cells in (".........", "X...O....", "X...O..OX"):
        for depth in (1, 2, 3):
            game = TicTacToe(cells)
            assert paranoid_moves(game, depth, open_lines) == depth_limited_moves(game, depth, open_lines)
