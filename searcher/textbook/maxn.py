"""MaxN: everybody does what is best for themselves.

Source: "Minimax in Battlesnake" (Corey Alexander), the part on MaxN.
"""

from typing import Any

from searcher.textbook.game import GameT, Player, is_over, mover, play_in_turn
from searcher.textbook.scores import Evaluator, Score, end_score, estimated

Scores = tuple[Score, ...]
"""One score for each player, in the order of the players."""


def maxn_scores(game: GameT, until: int, evaluate: Evaluator[GameT], against: Player | None = None) -> Scores:
    """What each player gets when each one in turn takes what is best for themselves.

    Source: "Minimax in Battlesnake". Adds to `paranoid` a score for every player at every leaf; who moves
    compares by their own. Of equal ones the first stands, or if `against` names a player, first of those that
    are worst for that one: who expects no kindness names itself. What the others get out of it no bound
    limits, so alpha-beta has no place here.
    """
    if is_over(game) or game.turn >= until:
        return tuple(end_score(game, each) or estimated(evaluate(game, each)) for each in game.players)
    player = mover(game)
    victim = player if against is None else against
    best = max(
        (
            maxn_scores(play_in_turn(game, move), until, evaluate, against)
            for move in game.legal_moves(player)
        ),
        key=lambda scores: (scores[player], -scores[victim]),
    )
    # Who is out already can't do better by what the others do later.
    return tuple(end_score(game, each) or score for each, score in zip(game.players, best, strict=True))


def maxn_moves(
    game: GameT, depth: int, evaluate: Evaluator[GameT], against: Player | None = None
) -> dict[Any, Score]:
    """Each legal move with the mover's own score, `depth` turns (at least 1) looked ahead.

    Ties are broken as in `maxn_scores`.
    """
    me: Player = mover(game)
    until = game.turn + depth
    return {
        move: maxn_scores(play_in_turn(game, move), until, evaluate, against)[me]
        for move in game.legal_moves(me)
    }
