"""Searches that stop at a depth."""

from searcher.textbook.limited import limited_moves
from searcher.textbook.scores import estimated, lost, won
from searcher.textbook.tictactoe import TicTacToe, open_lines
from tests.searcher.textbook.trees import Tree


def test_one_turn_ahead_is_the_evaluator_alone() -> None:
    """At depth 1 each move is worth what the evaluator says of the position after it."""
    scores = limited_moves(TicTacToe(), 1, open_lines)
    assert scores == {
        move: estimated(open_lines(TicTacToe().play({0: move}), 0)) for move in TicTacToe().legal_moves(0)
    }


def test_a_deeper_search_sees_the_trap() -> None:
    """One turn ahead the threat of O is beyond the horizon; two turns ahead all but the block lose."""
    game = TicTacToe("X...O..OX")
    assert all(score.turn is None for score in limited_moves(game, 1, open_lines).values())
    scores = limited_moves(game, 2, open_lines)
    assert {move for move, score in scores.items() if score == lost(6)} == {2, 3, 5, 6}
    assert scores[1].turn is None


def test_sure_wins_beat_good_prospects() -> None:
    """A win within the horizon is scored by its turn, above every estimate."""
    scores = limited_moves(TicTacToe("XX.OO...."), 1, open_lines)
    assert scores[2] == won(5)
    assert max(scores.values()) == scores[2]


def test_the_value_of_a_drawn_tree() -> None:
    """The maximizer takes the branch whose worst leaf is best: 0.3 of 0.3, 0.2 and 0.2."""

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
    scores = limited_moves(tree, 2, lambda game, player: game.node[player])
    assert scores == {0: estimated(0.3), 1: estimated(0.2), 2: estimated(0.2)}
