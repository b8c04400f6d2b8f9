"""The textbook on two players who alternate: the steps towards minimax, make and unmake, decaying scores."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from searcher.textbook.alpha_beta import alpha_beta_moves
from searcher.textbook.depth_limited import depth_limited_moves
from searcher.textbook.game import GameResult, best_moves, is_over, mover, play_in_turn
from searcher.textbook.minimax import (
    backtracking_moves,
    backtracking_value,
    best_result,
    best_result_moves,
    decayed_moves,
    decayed_score,
    max_turn,
    postorder_values,
)
from searcher.textbook.multiplayer import maxn_moves, paranoid_moves
from searcher.textbook.nim import Nim
from searcher.textbook.tictactoe import TicTacToe, TicTacToeBoard
from tests.searcher.textbook.solvers import no_estimate


def test_best_result_of_finished_games() -> None:
    """A finished game returns its result, also for the player who would be next."""
    assert best_result(TicTacToe("XXXOO...."), 1) is GameResult.LOSS
    assert best_result(TicTacToe("XXXOO...."), 0) is GameResult.WIN
    assert best_result(TicTacToe("XXOOOXXXO"), 1) is GameResult.DRAW


def test_best_result_moves() -> None:
    """X, to move, loses with one cell, draws with another and wins with the third."""
    game = TicTacToe("XOXOOX...")
    assert best_result_moves(game) == {6: GameResult.LOSS, 7: GameResult.DRAW, 8: GameResult.WIN}


MIDDLE = "X.O.X...O"


class ShuffledBoard(TicTacToeBoard):
    """A board that lists its moves in a random order."""

    random = Random(5)

    def legal_moves(self) -> list[int]:
        """Return the empty cells in a random order."""
        return self.random.sample(super().legal_moves(), k=self.cells.count("."))


def test_the_board_is_left_unchanged() -> None:
    """After a search the board is as before."""
    board = TicTacToeBoard(MIDDLE)
    backtracking_value(board)
    backtracking_moves(board)
    assert "".join(board.cells) == MIDDLE


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


def test_the_order_of_moves_does_not_matter() -> None:
    """In any order, every move is tried once and gets the same value."""
    expected = backtracking_moves(TicTacToeBoard(MIDDLE))
    visits = sum(1 for _ in postorder_values(TicTacToeBoard(MIDDLE)))
    for _ in range(10):
        assert backtracking_moves(ShuffledBoard(MIDDLE)) == expected
        assert sum(1 for _ in postorder_values(ShuffledBoard(MIDDLE))) == visits


def test_children_come_before_their_parent() -> None:
    """In post-order a position follows all its descendants, and the root is last."""
    board = TicTacToeBoard(MIDDLE)
    counts = [board.cells.count(".") for _ in postorder_values(board)]
    first_parent = next(place for place, count in enumerate(counts) if count == 1)
    assert counts[first_parent - 1] == 0
    assert counts.index(5) == len(counts) - 1


def test_values_are_those_of_the_first_player() -> None:
    """When O is about to complete a line, X has lost; the values of the moves are O's."""
    board = TicTacToeBoard("OO.XX.X..")
    assert backtracking_value(board) is GameResult.LOSS
    assert backtracking_moves(board)[2] is GameResult.WIN


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


def shortest_win(game: TicTacToe, us: int) -> int | None:
    """Return the fewest moves in which `us` can force a win, found by counting; None without a forced win."""
    if is_over(game):
        return 0 if game.result(us) is GameResult.WIN else None
    player = mover(game)
    after = [shortest_win(play_in_turn(game, move), us) for move in game.legal_moves(player)]
    forced = [1 + length for length in after if length is not None]
    if player == us:
        return min(forced, default=None)
    return max(forced) if len(forced) == len(after) else None


def lengths_of_best_games(game: TicTacToe, score_moves: Scoring) -> set[int]:
    """Return the lengths of all games in which both sides play only best moves."""
    if is_over(game):
        return {0}
    return {
        1 + length
        for move in best_moves(score_moves(game))
        for length in lengths_of_best_games(play_in_turn(game, move), score_moves)
    }


@pytest.mark.parametrize("search", SEARCHES)
def test_a_lost_game_is_played_to_the_longest_resistance(search: str) -> None:
    """All moves of O lose, most of them at once; with decay O plays the move that delays the end."""
    assert set(best_result_moves(LOST).values()) == {GameResult.LOSS}
    assert best_moves(SEARCHES[search](LOST)) == [8]
    assert lengths_of_best_games(LOST, SEARCHES[search]) == {shortest_win(LOST, 0)} == {4}


@pytest.mark.parametrize("search", SEARCHES)
def test_a_won_game_is_played_to_the_fastest_win(search: str) -> None:
    """All three moves win, the first one late; with decay X plays the move that wins at once."""
    assert list(best_result_moves(WON).values()) == [GameResult.WIN] * 3
    assert best_moves(SEARCHES[search](WON)) == [4]
    assert lengths_of_best_games(WON, SEARCHES[search]) == {shortest_win(WON, 0)} == {1}


def test_scores_encode_the_moves_to_the_end() -> None:
    """A win after one move scores 9, a win after three moves 7, a loss after four moves -6."""
    assert decayed_moves(WON) == {3: 7, 4: 9, 6: 7}
    assert max(decayed_moves(LOST).values()) == -6
    assert max_turn(TicTacToe("XXOOOXX.O"), 0) == 0


def test_scores_of_long_games_are_refused() -> None:
    """Ten moves from the root a win would be worth nothing, so the search raises an error."""
    assert decayed_score(GameResult.LOSS, 9) == -1
    with pytest.raises(ValueError, match="after 10 moves has no score; the limit is 9 moves"):
        max_turn(Nim((0,) * 3, turn=2), 0, depth=10)
