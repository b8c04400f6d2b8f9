"""The rules of Nim, and searches over it compared with Bouton's formula."""

from functools import reduce
from itertools import product
from operator import xor

import pytest

from searcher.textbook import minimax
from searcher.textbook.game import GameResult
from searcher.textbook.minimax import backtracking_moves
from searcher.textbook.nim import Nim, NimBoard
from tests.searcher.textbook.solvers import memoized


def test_the_last_counter_wins() -> None:
    """The player who takes the last counter wins, here the second player."""
    game = Nim((1, 2)).play({0: (0, 1)}).play({1: (1, 2)})
    assert game.heaps == (0, 0)
    assert [game.result(player) for player in game.players] == [GameResult.LOSS, GameResult.WIN]
    assert game.to_move == ()


def test_an_illegal_take_is_refused() -> None:
    """The error names the move and the heaps."""
    with pytest.raises(ValueError, match=r"\(1, 3\) is not a legal take from heaps \(1, 2\)"):
        Nim((1, 2)).play({0: (1, 3)})


def test_minimax_agrees_with_boutons_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player to move wins exactly if the exclusive or of the heaps is not zero."""
    monkeypatch.setattr(minimax, "best_result", memoized(minimax.best_result))
    for heaps in product(range(5), repeat=3):
        expected = GameResult.WIN if reduce(xor, heaps) else GameResult.LOSS
        assert minimax.best_result(Nim(heaps), 0) is expected, heaps


def test_backtracking_finds_the_one_winning_move() -> None:
    """From heaps of 1, 2 and 4, only taking one from the last heap leaves an exclusive or of zero."""
    board = NimBoard((1, 2, 4))
    scores = backtracking_moves(board)
    assert [move for move, value in scores.items() if value is GameResult.WIN] == [(2, 1)]
    assert board.heaps == [1, 2, 4]
