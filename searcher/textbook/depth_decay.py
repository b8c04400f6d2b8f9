"""Scores that decay with depth, so that a search prefers the fastest win and the slowest loss.

Source: "MiniMax Algorithm" (Theory of Programming).
"""

from typing import Any

from searcher.textbook.game import Game, GameResult, Move, Player, mover, play_in_turn

WIN_SCORE = 10
"""The score of a win at the root. It decays by one a move, so a game must be shorter than this many moves."""


def decayed_score(result: GameResult, depth: int) -> int:
    """Return 10 - depth for a win, depth - 10 for a loss and 0 for a draw, `depth` moves from the root.

    Source: "MiniMax Algorithm", the function score with depth.

    >>> decayed_score(GameResult.WIN, 1), decayed_score(GameResult.WIN, 3), decayed_score(GameResult.LOSS, 2)
    (9, 7, -8)

    Raises ValueError if `depth` is 10 or more, where a win would be worth no more than a draw.
    """
    if depth >= WIN_SCORE:
        raise ValueError(
            f"a game that ends after {depth} moves has no score; the limit is {WIN_SCORE - 1} moves"
        )
    return int(result) * (WIN_SCORE - depth)


def max_turn(game: Game[Any], maximizer: Player, depth: int = 0) -> int:
    """Return the highest score that `maximizer`, who is to move, can force.

    Source: "MiniMax Algorithm", maxTurn. Adds to `minimax.best_result` a function for each side, in place of
    reversed results, and `depth`, so that the number of moves decides between two wins or two losses.
    """
    result = game.result(maximizer)
    if result is not None:
        return decayed_score(result, depth)
    return max(
        min_turn(play_in_turn(game, move), maximizer, depth + 1) for move in game.legal_moves(mover(game))
    )


def min_turn(game: Game[Any], maximizer: Player, depth: int) -> int:
    """Return the lowest score to which the opponent, who is to move, can hold `maximizer`.

    Source: "MiniMax Algorithm", minTurn.
    """
    result = game.result(maximizer)
    if result is not None:
        return decayed_score(result, depth)
    return min(
        max_turn(play_in_turn(game, move), maximizer, depth + 1) for move in game.legal_moves(mover(game))
    )


def decayed_moves(game: Game[Move]) -> dict[Move, int]:
    """Return the decayed score of each legal move for the player to move."""
    player = mover(game)
    return {move: min_turn(play_in_turn(game, move), player, depth=1) for move in game.legal_moves(player)}
