"""Agents choose at random among the best moves."""

import functools
from random import Random

from searcher.textbook.agents import MinimaxAgent, MixedAgent, best_moves
from searcher.textbook.minimax import best_result_moves
from searcher.textbook.tictactoe import TicTacToe


def test_only_best_moves_are_played() -> None:
    """Over many choices every best move is played, and no other move is."""
    game = TicTacToe("X...O...X")
    agent = MinimaxAgent[TicTacToe](functools.cache(best_result_moves), Random(1))
    best = set(best_moves(best_result_moves(game)))
    assert best == {1, 3, 5, 7}
    assert {agent.select_move(game) for _ in range(60)} == best


def test_the_seed_decides() -> None:
    """The same seed gives the same choices, and another seed gives other choices."""

    def choices(seed: int) -> list[int]:
        agent = MinimaxAgent[TicTacToe](lambda game: dict.fromkeys(range(9), 0), Random(seed))
        return [agent.select_move(TicTacToe()) for _ in range(20)]

    assert choices(3) == choices(3) != choices(4)


def test_mixed_agents_follow_the_probabilities() -> None:
    """A move is played about as often as its probability says, and never if that is zero."""
    agent = MixedAgent[TicTacToe](lambda game: {"often": 0.75, "seldom": 0.25, "never": 0.0}, Random(1))
    moves = [agent.select_move(TicTacToe()) for _ in range(400)]
    assert set(moves) == {"often", "seldom"}
    assert 250 < moves.count("often") < 350
