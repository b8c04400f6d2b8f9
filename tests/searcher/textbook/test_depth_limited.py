"""Minimax with a depth limit."""

from hypothesis import given
from hypothesis import strategies as st

from searcher.textbook.depth_limited import (
    BEST,
    WORST,
    depth_limited_moves,
    end_score,
    estimated,
    leaf_score,
    lost,
    won,
)
from searcher.textbook.tictactoe import TicTacToe, open_lines


def test_a_deeper_search_sees_the_trap() -> None:
    """At depth 1 O's threat is beyond the horizon; at depth 2 all moves but the block lose."""
    game = TicTacToe("X...O..OX")
    assert all(score.turn is None for score in depth_limited_moves(game, 1, open_lines).values())
    scores = depth_limited_moves(game, 2, open_lines)
    assert {move for move, score in scores.items() if score == lost(6)} == {2, 3, 5, 6}
    assert scores[1].turn is None


turns = st.integers(min_value=0, max_value=10_000)
estimates = st.floats(min_value=-1, max_value=1)


@given(turns, turns, estimates)
def test_the_order_of_scores(early: int, later: int, estimate: float) -> None:
    """Losses are below estimates and estimates below wins; late losses and early wins are better."""
    later += early + 1
    assert WORST < lost(early) < lost(later) < estimated(estimate) < won(later) < won(early) < BEST


def test_where_a_search_stops() -> None:
    """A finished game is scored by its result on any turn, others by the evaluator at the horizon."""
    finished, middle = TicTacToe("XXXOO...."), TicTacToe("X...O....")
    assert leaf_score(finished, 1, 9, open_lines) == end_score(finished, 1) == lost(5)
    assert leaf_score(TicTacToe("XXOOOXXXO"), 1, 9, open_lines) == estimated(0)
    assert leaf_score(middle, 0, 3, open_lines) is None
    assert leaf_score(middle, 0, 2, open_lines) == estimated(open_lines(middle, 0))
