"""Paranoid minimax: I take what is best for me, and believe that all others do what is worst for me.

Source: "Minimax in Battlesnake" (Corey Alexander), the part on paranoid minimax.
"""

from typing import Any

from searcher.textbook.game import GameT, Player, mover, play_in_turn
from searcher.textbook.scores import Evaluator, Score, leaf_score


def paranoid_score(game: GameT, me: Player, until: int, evaluate: Evaluator[GameT]) -> Score:
    """The score that `me` can reach at least, whatever all others do; any number of players in turn.

    Source: "Minimax in Battlesnake". Adds to `limited` more than two players: each score is mine, I choose
    the highest and everybody else the lowest. Nothing is pruned. The line ends where all is over for me,
    even if others play on, and on turn `until`.
    """
    leaf = leaf_score(game, me, until, evaluate)
    if leaf is not None:
        return leaf
    player = mover(game)
    choose = max if player == me else min
    return choose(
        paranoid_score(play_in_turn(game, move), me, until, evaluate) for move in game.legal_moves(player)
    )


def paranoid_moves(game: GameT, depth: int, evaluate: Evaluator[GameT]) -> dict[Any, Score]:
    """Each legal move with its score for the player to move, `depth` turns (at least 1) looked ahead."""
    me = mover(game)
    until = game.turn + depth
    return {
        move: paranoid_score(play_in_turn(game, move), me, until, evaluate) for move in game.legal_moves(me)
    }
