"""Alpha-beta: paranoid minimax that leaves out what can't change its answer.

Source: "Minimax in Battlesnake" (Corey Alexander), advantages and disadvantages: each node of paranoid
minimax has one score, mine, so a bound found in one place holds in every other.
"""

from typing import Any

from searcher.textbook.game import GameT, Player, mover, play_in_turn
from searcher.textbook.scores import BEST, WORST, Evaluator, Score, leaf_score


def alpha_beta_score(
    game: GameT, me: Player, until: int, evaluate: Evaluator[GameT], alpha: Score = WORST, beta: Score = BEST
) -> Score:
    """The same as `paranoid.paranoid_score` if that lies between `alpha` and `beta`; else a bound of it.

    Source: "Minimax in Battlesnake". Adds to `paranoid` what I have (`alpha`) and am held to (`beta`)
    elsewhere: where they meet, play won't come. <= alpha means "at most this", >= beta "at least this".
    """
    leaf = leaf_score(game, me, until, evaluate)
    if leaf is not None:
        return leaf
    player = mover(game)
    best = WORST if player == me else BEST
    for move in game.legal_moves(player):
        score = alpha_beta_score(play_in_turn(game, move), me, until, evaluate, alpha, beta)
        if player == me:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def alpha_beta_moves(game: GameT, depth: int, evaluate: Evaluator[GameT]) -> dict[Any, Score]:
    """Each legal move with its exact score for the player to move, `depth` turns (at least 1) ahead.

    Each move gets the whole window: with the bounds of the moves before it, a worse one could come out
    as an equal one.
    """
    me = mover(game)
    until = game.turn + depth
    return {
        move: alpha_beta_score(play_in_turn(game, move), me, until, evaluate) for move in game.legal_moves(me)
    }
