"""The fastest win and the longest resistance."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from searcher.textbook.agents import best_moves
from searcher.textbook.alphabeta import alpha_beta_moves
from searcher.textbook.decay import decayed_moves, decayed_score, max_turn
from searcher.textbook.game import GameResult, is_over, mover, play_in_turn
from searcher.textbook.limited import limited_moves
from searcher.textbook.maxn import maxn_moves
from searcher.textbook.minimaxing import best_result_moves
from searcher.textbook.nim import Nim
from searcher.textbook.paranoid import paranoid_moves
from searcher.textbook.tictactoe import TicTacToe
from tests.searcher.textbook.solvers import no_estimate

Scoring = Callable[[TicTacToe], Mapping[int, Any]]

SEARCHES: dict[str, Scoring] = {
    "decay": decayed_moves,
    "limited": lambda game: limited_moves(game, 9, no_estimate),
    "paranoid": lambda game: paranoid_moves(game, 9, no_estimate),
    "alphabeta": lambda game: alpha_beta_moves(game, 9, no_estimate),
    "maxn": lambda game: maxn_moves(game, 9, no_estimate),
}
"""The searches whose scores tell a soon end from a late one."""

LOST = TicTacToe("X..OX....")
"""O to move, and X will win. Only a block of the diagonal makes X need a second line."""

WON = TicTacToe("XXO..O.OX")
"""X to move. Cell 4 wins at once; 3 and 6 win too, but two moves later."""


def shortest_win(game: TicTacToe, us: int) -> int | None:
    """The fewest moves in which `us` can force a win, by counting alone; None if that can't be forced."""
    if is_over(game):
        return 0 if game.result(us) is GameResult.WIN else None
    player = mover(game)
    after = [shortest_win(play_in_turn(game, move), us) for move in game.legal_moves(player)]
    forced = [1 + length for length in after if length is not None]
    if player == us:
        return min(forced, default=None)
    return max(forced) if len(forced) == len(after) else None


def lengths_of_best_games(game: TicTacToe, score_moves: Scoring) -> set[int]:
    """How many moves games last in which both sides play any of their best moves."""
    if is_over(game):
        return {0}
    return {
        1 + length
        for move in best_moves(score_moves(game))
        for length in lengths_of_best_games(play_in_turn(game, move), score_moves)
    }


@pytest.mark.parametrize("search", SEARCHES)
def test_a_lost_game_is_played_to_the_longest_resistance(search: str) -> None:
    """All moves of O lose, the first ones at once; with decay O takes the one that delays the end."""
    assert set(best_result_moves(LOST).values()) == {GameResult.LOSS}
    assert best_moves(SEARCHES[search](LOST)) == [8]
    assert lengths_of_best_games(LOST, SEARCHES[search]) == {shortest_win(LOST, 0)} == {4}


@pytest.mark.parametrize("search", SEARCHES)
def test_a_won_game_is_played_to_the_fastest_win(search: str) -> None:
    """All three moves win, the first one late; with decay X takes the one that wins at once."""
    assert list(best_result_moves(WON).values()) == [GameResult.WIN] * 3
    assert best_moves(SEARCHES[search](WON)) == [4]
    assert lengths_of_best_games(WON, SEARCHES[search]) == {shortest_win(WON, 0)} == {1}


def test_scores_tell_the_moves_to_the_end() -> None:
    """A win after one move is worth 9, after three 7; what is lost after four moves -6."""
    assert decayed_moves(WON) == {3: 7, 4: 9, 6: 7}
    assert max(decayed_moves(LOST).values()) == -6
    assert max_turn(TicTacToe("XXOOOXX.O"), 0) == 0


def test_scores_of_long_games_are_refused() -> None:
    """Ten moves from the root a win would be worth nothing, so the search says so."""
    assert decayed_score(GameResult.LOSS, 9) == -1
    with pytest.raises(ValueError, match="after 10 moves"):
        max_turn(Nim((0,) * 3, turn=2), 0, depth=10)
