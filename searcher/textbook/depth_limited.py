"""Minimax that stops at a depth and asks an evaluator, for two players who alternate.

Source: "Minimax in Battlesnake" (Corey Alexander), the part on scoring states that are not end states.
"""

from typing import Any

from searcher.textbook.game import GameT, Player, mover, opponent, play_in_turn
from searcher.textbook.score import Evaluator, Score, leaf_score


def depth_limited_score(game: GameT, player: Player, limit: int, evaluate: Evaluator[GameT]) -> Score:
    """Return the highest score that `player`, who is to move unless the game is over, can force.

    Source: "Minimax in Battlesnake". Adds to `depth_decay` that no line is searched beyond turn `limit`.
    There the evaluator scores the position; its values for the two players must be the negations of each
    other.
    """
    leaf = leaf_score(game, player, limit, evaluate)
    if leaf is not None:
        return leaf
    other = opponent(game, player)
    return max(
        -depth_limited_score(play_in_turn(game, move), other, limit, evaluate)
        for move in game.legal_moves(player)
    )


def depth_limited_moves(game: GameT, depth: int, evaluate: Evaluator[GameT]) -> dict[Any, Score]:
    """Return the score of each legal move for the player to move, `depth` turns (at least 1) deep."""
    player = mover(game)
    other = opponent(game, player)
    limit = game.turn + depth
    return {
        move: -depth_limited_score(play_in_turn(game, move), other, limit, evaluate)
        for move in game.legal_moves(player)
    }
