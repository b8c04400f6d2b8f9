"""MaxN: every player chooses what is best for themselves.

Source: "Minimax in Battlesnake" (Corey Alexander), the part on MaxN.
"""

from typing import Any

from searcher.textbook.game import GameT, Player, is_over, mover, play_in_turn
from searcher.textbook.score import Evaluator, Score, end_score, estimated

Scores = tuple[Score, ...]
"""One score for each player, in the order of the players."""


def maxn_scores(game: GameT, limit: int, evaluate: Evaluator[GameT], against: Player | None = None) -> Scores:
    """Return the score of each player when every player in turn chooses what is best for themselves.

    Source: "Minimax in Battlesnake". Adds to `paranoid` a score for every player at every leaf; the player to
    move compares by their own. Among equal moves the first is chosen. If `against` names a player, it is the
    first of the equal moves that are worst for that player: a pessimistic root player names itself. No bound
    limits the opponents' scores, so alpha-beta does not apply.
    """
    if is_over(game) or game.turn >= limit:
        return tuple(end_score(game, each) or estimated(evaluate(game, each)) for each in game.players)
    player = mover(game)
    victim = player if against is None else against
    best = max(
        (
            maxn_scores(play_in_turn(game, move), limit, evaluate, against)
            for move in game.legal_moves(player)
        ),
        key=lambda scores: (scores[player], -scores[victim]),
    )
    # Later moves of the others don't improve the score of a player who is already out.
    return tuple(end_score(game, each) or score for each, score in zip(game.players, best, strict=True))


def maxn_moves(
    game: GameT, depth: int, evaluate: Evaluator[GameT], against: Player | None = None
) -> dict[Any, Score]:
    """Return the mover's own score of each legal move, `depth` turns (at least 1) deep.

    Ties are broken as in `maxn_scores`.
    """
    me: Player = mover(game)
    limit = game.turn + depth
    return {
        move: maxn_scores(play_in_turn(game, move), limit, evaluate, against)[me]
        for move in game.legal_moves(me)
    }
