"""Minimax that stops at a depth and asks an evaluator, for two players who alternate.

Source: "Minimax in Battlesnake" (Corey Alexander), the part on scoring states that are no end states.
"""

from typing import Any

from searcher.textbook.game import GameT, Player, mover, opponent, play_in_turn
from searcher.textbook.scores import Evaluator, Score, leaf_score


def limited_score(game: GameT, player: Player, until: int, evaluate: Evaluator[GameT]) -> Score:
    """The score that `player`, who is to move unless the game is over, can reach at least.

    Source: "Minimax in Battlesnake". Adds to `decay` that no line is followed beyond turn `until`: there
    the evaluator speaks, whose word on one player has to be the negation of that on the other.
    """
    leaf = leaf_score(game, player, until, evaluate)
    if leaf is not None:
        return leaf
    other = opponent(game, player)
    return max(
        -limited_score(play_in_turn(game, move), other, until, evaluate) for move in game.legal_moves(player)
    )


def limited_moves(game: GameT, depth: int, evaluate: Evaluator[GameT]) -> dict[Any, Score]:
    """Each legal move with its score for the player to move, `depth` turns (at least 1) looked ahead."""
    player = mover(game)
    other = opponent(game, player)
    until = game.turn + depth
    return {
        move: -limited_score(play_in_turn(game, move), other, until, evaluate)
        for move in game.legal_moves(player)
    }
