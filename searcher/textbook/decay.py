"""Scores that decay with depth: the fastest win, the longest resistance.

Source: "MiniMax Algorithm" (Theory of Programming).
"""

from typing import Any

from searcher.textbook.game import Game, GameResult, Move, Player, mover, play_in_turn

WIN_SCORE = 10
"""What a win is worth before it decays by one a move. A game has to be shorter than that many moves."""


def decayed_score(result: GameResult, depth: int) -> int:
    """10 - depth for a win, depth - 10 for a loss, 0 for a draw, `depth` moves from the root.

    Source: "MiniMax Algorithm", the function score with depth.

    >>> decayed_score(GameResult.WIN, 1), decayed_score(GameResult.WIN, 3), decayed_score(GameResult.LOSS, 2)
    (9, 7, -8)

    Raises:
        ValueError: at 10 moves and more a win would be worth no more than a draw.
    """
    if depth >= WIN_SCORE:
        raise ValueError(f"an end after {depth} moves can't be scored, the most is {WIN_SCORE - 1}")
    return int(result) * (WIN_SCORE - depth)


def max_turn(game: Game[Any], maximizer: Player, depth: int = 0) -> int:
    """The score that `maximizer`, who is to move, can reach at least.

    Source: "MiniMax Algorithm", maxTurn. Adds to `minimaxing.best_result` one function for each side, in
    place of reversed results, and `depth`, so that among wins and among losses the moves count too.
    """
    result = game.result(maximizer)
    if result is not None:
        return decayed_score(result, depth)
    return max(
        min_turn(play_in_turn(game, move), maximizer, depth + 1) for move in game.legal_moves(mover(game))
    )


def min_turn(game: Game[Any], maximizer: Player, depth: int = 0) -> int:
    """The score to which the opponent, who is to move, can hold `maximizer`.

    Source: "MiniMax Algorithm", minTurn.
    """
    result = game.result(maximizer)
    if result is not None:
        return decayed_score(result, depth)
    return min(
        max_turn(play_in_turn(game, move), maximizer, depth + 1) for move in game.legal_moves(mover(game))
    )


def decayed_moves(game: Game[Move]) -> dict[Move, int]:
    """Each legal move with its decayed score for the player to move."""
    player = mover(game)
    return {move: min_turn(play_in_turn(game, move), player, depth=1) for move in game.legal_moves(player)}
