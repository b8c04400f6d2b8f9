"""The fastest win and the longest resistance."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from searcher.textbook.agents import best_moves
from searcher.textbook.alphabeta import alpha_beta_moves
from searcher.textbook.depth_decay import decayed_moves, decayed_score, max_turn
from searcher.textbook.depth_limited import depth_limited_moves
from searcher.textbook.game import GameResult, is_over, mover, play_in_turn
from searcher.textbook.maxn import maxn_moves
from searcher.textbook.minimax import best_result_moves
from searcher.textbook.nim import Nim
from searcher.textbook.paranoid import paranoid_moves
from searcher.textbook.tictactoe import TicTacToe
from tests.searcher.textbook.solvers import no_estimate

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
