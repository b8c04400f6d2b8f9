"""Minimax that stops at a depth and calls an evaluator. Its scores put sure results and estimates in order.

Source: "Minimax in Battlesnake" (Corey Alexander), the part on scoring states that are not end states.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from searcher.textbook.game import (
    AnyGame,
    AnyMove,
    GameResult,
    GameT,
    Player,
    mover,
    opponent,
    play_in_turn,
)

Evaluator: TypeAlias = Callable[[GameT, Player], float]
"""A function that estimates the end of a position for a player, from -1 (lost) to 1 (won)."""


class Score(NamedTuple):
    """The score of a position for one player. Scores compare as tuples do, the first field first.

    Adds estimates to the scores of `decayed_score` and removes their limit of ten moves. Losses are below all
    estimates, and later losses are better. Wins are above all estimates, and earlier wins are better.

    >>> lost(2) < lost(9) < estimated(-1) < estimated(0.3) < won(9) < won(2)
    True
    >>> -won(4) == lost(4)
    True
    """

    result: GameResult
    """WIN or LOSS if the result is sure, and DRAW for a draw and for every undecided position."""
    value: float
    """For a loss its turn, for a win its turn negated, for a draw 0, and otherwise the estimate."""

    def __neg__(self) -> "Score":
        """Return the opponent's score of the same position in a zero-sum game."""
        return Score(self.result.reversed(), -self.value)

    @property
    def turn(self) -> int | None:
        """The turn of a sure win or loss, counted as in `Game.turn`, or None without a sure result."""
        return None if self.result is GameResult.DRAW else int(abs(self.value))


def won(turn: int) -> Score:
    """Return the score of a game that is won on `turn`."""
    return Score(GameResult.WIN, -turn)


def lost(turn: int) -> Score:
    """Return the score of a game that is lost on `turn`."""
    return Score(GameResult.LOSS, turn)


def estimated(value: float) -> Score:
    """Return the score of an undecided position. `value` is its estimate, from -1 to 1.

    Raises ValueError for a value outside this range.
    """
    if not -1 <= value <= 1:
        raise ValueError(f"an evaluator must return a value from -1 to 1, but this one returned {value}")
    return Score(GameResult.DRAW, value)


WORST = lost(-1)
"""A score below every score of a position."""

BEST = won(-1)
"""A score above every score of a position."""


def end_score(game: AnyGame, player: Player) -> Score | None:
    """Return the score of a position in which the game is over for `player`, or None in other positions."""
    match game.result(player):
        case None:
            return None
        case GameResult.WIN:
            return won(game.turn)
        case GameResult.LOSS:
            return lost(game.turn)
        case _:
            return estimated(0.0)


def leaf_score(game: GameT, player: Player, limit: int, evaluate: Evaluator[GameT]) -> Score | None:
    """Return the score of a finished game or of a position on turn `limit`, or None if the search goes on."""
    end = end_score(game, player)
    if end is None and game.turn >= limit:
        return estimated(evaluate(game, player))
    return end


def depth_limited_score(game: GameT, player: Player, limit: int, evaluate: Evaluator[GameT]) -> Score:
    """Return the highest score that `player`, who is to move unless the game is over, can force.

    Source: "Minimax in Battlesnake". Adds to `decayed_score` that no line is searched beyond turn `limit`.
    There the evaluator scores the position. Its values for the two players must be the negations of each
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


def depth_limited_moves(game: GameT, depth: int, evaluate: Evaluator[GameT]) -> dict[AnyMove, Score]:
    """Return the score of each legal move for the player to move, `depth` turns (at least 1) deep."""
    player = mover(game)
    other = opponent(game, player)
    limit = game.turn + depth
    return {
        move: -depth_limited_score(play_in_turn(game, move), other, limit, evaluate)
        for move in game.legal_moves(player)
    }
