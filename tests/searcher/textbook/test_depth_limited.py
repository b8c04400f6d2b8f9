"""Minimax with a depth limit."""

from searcher.textbook.depth_limited import depth_limited_moves
from searcher.textbook.score import estimated, lost, won
from searcher.textbook.tictactoe import TicTacToe, open_lines
from tests.searcher.textbook.tree_game import Tree


def test_one_turn_ahead_is_the_evaluator_alone() -> None:
    """At depth 1 the score of a move is the evaluator's value of the position after it."""
    scores = depth_limited_moves(TicTacToe(), 1, open_lines)
    assert scores == {
        move: estimated(open_lines(TicTacToe().play({0: move}), 0)) for move in TicTacToe().legal_moves(0)
    }


def test_a_deeper_search_sees_the_trap() -> None:
    """At depth 1 O's threat is beyond the horizon; at depth 2 all moves but the block lose."""
    game = TicTacToe("X...O..OX")
    assert all(score.turn is None for score in depth_limited_moves(game, 1, open_lines).values())
    scores = depth_limited_moves(game, 2, open_lines)
    assert {move for move, score in scores.items() if score == lost(6)} == {2, 3, 5, 6}
    assert scores[1].turn is None


def test_sure_wins_beat_estimates() -> None:
    """A win within the horizon is scored by its turn and beats every estimate."""
    scores = depth_limited_moves(TicTacToe("XX.OO...."), 1, open_lines)
    assert scores[2] == won(5)
    assert max(scores.values()) == scores[2]


def test_the_value_of_a_given_tree() -> None:
    """The maximizer takes the branch with the best worst leaf: 0.3 out of 0.3, 0.2 and 0.2."""

    def leaf(value: float) -> tuple[float, float]:
        return value, -value

    tree = Tree(
        (
            (leaf(0.3), leaf(0.9), leaf(0.8)),
            (leaf(0.2), leaf(0.4), leaf(0.6)),
            (leaf(0.9), leaf(0.5), leaf(0.2)),
        ),
        seats=2,
    )
    scores = depth_limited_moves(tree, 2, lambda game, player: game.node[player])
    assert scores == {0: estimated(0.3), 1: estimated(0.2), 2: estimated(0.2)}
