"""The textbook on two players who alternate: the steps towards minimax, make and unmake, decaying scores."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from searcher.textbook.depth_limited import depth_limited_moves
from searcher.textbook.game import GameResult, best_moves
from searcher.textbook.minimax import (
    best_result_moves,
    decayed_moves,
    max_turn,
    postorder_values,
)
from searcher.textbook.multiplayer import alpha_beta_moves, maxn_moves, paranoid_moves
from searcher.textbook.tictactoe import TicTacToe, TicTacToeBoard
from tests.searcher.textbook.solvers import no_estimate

MIDDLE = "X.O.X...O"


@pytest.mark.parametrize("steps", [1, 2, 7, 100])
def test_an_abandoned_search_unmakes_its_moves(steps: int) -> None:
    """Closing the generator after a few values restores the board."""
    board = TicTacToeBoard(MIDDLE)
    values = postorder_values(board)
    for _ in range(steps):
        next(values)
    assert "".join(board.cells) != MIDDLE
    values.close()
    assert "".join(board.cells) == MIDDLE


Scoring = Callable[[TicTacToe], Mapping[int, Any]]

SEARCHES: dict[str, Scoring] = {
    "depth_decay": decayed_moves,
    "depth_limited": lambda game: depth_limited_moves(game, 9, no_estimate),
    "paranoid": lambda game: paranoid_moves(game, 9, no_estimate),
    "alphabeta": lambda game: alpha_beta_moves(game, 9, no_estimate),
    "maxn": lambda game: maxn_moves(game, 9, no_estimate),
}
"""The searches whose scores distinguish an early end from a late one."""

LOST = TicTacToe("X..OX....")
"""O to move; X wins. Only blocking the diagonal forces X to complete a second line."""

WON = TicTacToe("XXO..O.OX")
"""X to move. Cell 4 wins at once; cells 3 and 6 win two moves later."""


@pytest.mark.parametrize("search", SEARCHES)
def test_a_lost_game_is_played_to_the_longest_resistance(search: str) -> None:
    """All moves of O lose, most of them at once; with decay O plays the move that delays the end."""
    assert set(best_result_moves(LOST).values()) == {GameResult.LOSS}
    assert best_moves(SEARCHES[search](LOST)) == [8]


@pytest.mark.parametrize("search", SEARCHES)
def test_a_won_game_is_played_to_the_fastest_win(search: str) -> None:
    """All three moves win, the first one late; with decay X plays the move that wins at once."""
    assert list(best_result_moves(WON).values()) == [GameResult.WIN] * 3
    assert best_moves(SEARCHES[search](WON)) == [4]


def test_scores_encode_the_moves_to_the_end() -> None:
    """A win after one move scores 9, a win after three moves 7, a loss after four moves -6."""
    assert decayed_moves(WON) == {3: 7, 4: 9, 6: 7}
    assert max(decayed_moves(LOST).values()) == -6
    assert max_turn(TicTacToe("XXOOOXX.O"), 0) == 0
