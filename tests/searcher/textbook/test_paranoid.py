"""Everybody against me."""

from searcher.textbook.limited import limited_moves
from searcher.textbook.paranoid import paranoid_moves
from searcher.textbook.scores import estimated
from searcher.textbook.tictactoe import TicTacToe, open_lines
from tests.searcher.textbook.trees import THREE, leaf_estimate


def test_others_choose_what_is_worst_for_me() -> None:
    """On the left the others could hold me to -0.4, on the right to no less than 0."""
    assert paranoid_moves(THREE, 3, leaf_estimate) == {0: estimated(-0.4), 1: estimated(0.0)}


def test_each_player_is_me_when_to_move() -> None:
    """The second player, on move after the left branch, takes its own part."""
    assert paranoid_moves(THREE.play({0: 0}), 2, leaf_estimate) == {0: estimated(0.0), 1: estimated(-0.9)}


def test_with_two_players_it_is_plain_minimax() -> None:
    """Against one opponent paranoia changes nothing."""
    for cells in (".........", "X...O....", "X...O..OX"):
        for depth in (1, 2, 3):
            game = TicTacToe(cells)
            assert paranoid_moves(game, depth, open_lines) == limited_moves(game, depth, open_lines)
