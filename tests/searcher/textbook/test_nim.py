"""The rules of Nim, and searches over it against Bouton's formula."""

from functools import reduce
from itertools import product
from operator import xor

import pytest

from searcher.textbook import minimaxing
from searcher.textbook.backtracking import backtracking_moves
from searcher.textbook.game import GameResult
from searcher.textbook.nim import Nim, NimBoard
from tests.searcher.textbook.solvers import remembering


def test_who_takes_the_last_counter_wins() -> None:
    """Two moves empty the heaps; the second player made the last one."""
    game = Nim((1, 2)).play({0: (0, 1)}).play({1: (1, 2)})
    assert game.heaps == (0, 0)
    assert [game.result(player) for player in game.players] == [GameResult.LOSS, GameResult.WIN]
    assert game.to_move == ()


def test_no_more_can_be_taken_than_is_there() -> None:
    """The error names the move and the heaps."""
    with pytest.raises(ValueError, match=r"\(1, 3\) can't be taken from heaps \(1, 2\)"):
        Nim((1, 2)).play({0: (1, 3)})


def test_searches_know_bouton(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is to move wins exactly if the exclusive or of the heaps is not zero."""
    monkeypatch.setattr(minimaxing, "best_result", remembering(minimaxing.best_result))
    for heaps in product(range(5), repeat=3):
        expected = GameResult.WIN if reduce(xor, heaps) else GameResult.LOSS
        assert minimaxing.best_result(Nim(heaps), 0) is expected, heaps


def test_backtracking_finds_the_one_winning_move() -> None:
    """From heaps of 1, 2 and 4 only taking one from the last leaves an exclusive or of zero."""
    board = NimBoard((1, 2, 4))
    scores = backtracking_moves(board)
    assert [move for move, value in scores.items() if value is GameResult.WIN] == [(2, 1)]
    assert board.heaps == [1, 2, 4]
