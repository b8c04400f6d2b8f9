"""Paranoid minimax with alpha-beta pruning, for any number of players.

Source: "Minimax in Battlesnake" (Corey Alexander), the part on alpha-beta.
"""

from searcher.textbook.depth_limited import BEST, WORST, Evaluator, Score, leaf_score
from searcher.textbook.game import AnyMove, GameT, Player, mover, play_in_turn


def alpha_beta_score(
    game: GameT, me: Player, limit: int, evaluate: Evaluator[GameT], alpha: Score = WORST, beta: Score = BEST
) -> Score:
    """Return the score of `paranoid_score` if it lies between `alpha` and `beta`, or else a bound on it.

    Source: "Minimax in Battlesnake". I can force the score `alpha` elsewhere, and the opponents can hold me
    to `beta` elsewhere. A score <= alpha is an upper bound, and a score >= beta is a lower bound.
    """
    leaf = leaf_score(game, me, limit, evaluate)
    if leaf is not None:
        return leaf
    player = mover(game)
    best = WORST if player == me else BEST
    for move in game.legal_moves(player):
        score = alpha_beta_score(play_in_turn(game, move), me, limit, evaluate, alpha, beta)
        if player == me:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def alpha_beta_moves(game: GameT, depth: int, evaluate: Evaluator[GameT]) -> dict[AnyMove, Score]:
    """Return the exact score of each legal move for the player to move, `depth` turns (at least 1) deep.

    Each move is searched with the full window. With the bounds of earlier moves, a worse move could get the
    same score as a better move.
    """
    me = mover(game)
    limit = game.turn + depth
    return {
        move: alpha_beta_score(play_in_turn(game, move), me, limit, evaluate) for move in game.legal_moves(me)
    }
