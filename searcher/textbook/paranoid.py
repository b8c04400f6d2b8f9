"""Paranoid minimax: I choose what is best for me and assume that all opponents choose what is worst for me.

Source: "Minimax in Battlesnake" (Corey Alexander), the part on paranoid minimax.
"""

from typing import Any

from searcher.textbook.game import GameT, Player, mover, play_in_turn
from searcher.textbook.score import Evaluator, Score, leaf_score


def paranoid_score(game: GameT, me: Player, limit: int, evaluate: Evaluator[GameT]) -> Score:
    """Return the highest score that `me` can force against all opponents, who move in turn.

    Source: "Minimax in Battlesnake". Adds to `depth_limited` more than two players: every score is mine; I
    choose the highest one and each opponent the lowest. Nothing is pruned. A line ends where the game is over
    for me, even if the others play on, and on turn `limit`.
    """
    leaf = leaf_score(game, me, limit, evaluate)
    if leaf is not None:
        return leaf
    player = mover(game)
    choose = max if player == me else min
    return choose(
        paranoid_score(play_in_turn(game, move), me, limit, evaluate) for move in game.legal_moves(player)
    )


def paranoid_moves(game: GameT, depth: int, evaluate: Evaluator[GameT]) -> dict[Any, Score]:
    """Return the score of each legal move for the player to move, `depth` turns (at least 1) deep."""
    me = mover(game)
    limit = game.turn + depth
    return {
        move: paranoid_score(play_in_turn(game, move), me, limit, evaluate) for move in game.legal_moves(me)
    }
