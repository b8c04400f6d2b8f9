"""One order for sure ends and for estimates, where a search can't look to the end of the game."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from searcher.textbook.game import Game, GameResult, GameT, Player

Evaluator: TypeAlias = Callable[[GameT, Player], float]
"""Estimates how a position will end for a player, from -1 (lost) to 1 (won)."""


class Score(NamedTuple):
    """What a position is worth to one player. Scores compare as tuples do, the first field first.

    Adds estimates to the depth-decayed scores of `decay` and takes away their bound of ten moves: losses
    (the later the better) stand below all estimates, wins (the sooner the better) above.

    >>> lost(2) < lost(9) < estimated(-1) < estimated(0.3) < won(9) < won(2)
    True
    >>> -won(4) == lost(4)
    True
    """

    result: GameResult
    """WIN or LOSS when that is sure; DRAW for a draw and for all that is undecided."""
    value: float
    """Of a loss the turn on which it comes, of a win that turn negated; else the estimate, 0 for a draw."""

    def __neg__(self) -> "Score":
        """The same position seen by the opponent in a game that one wins and the other loses."""
        return Score(self.result.reversed(), -self.value)

    @property
    def turn(self) -> int | None:
        """The turn, counted as in `Game.turn`, on which a sure win or loss comes; None if there is none."""
        return None if self.result is GameResult.DRAW else int(abs(self.value))


def won(turn: int) -> Score:
    """The game is won on `turn`."""
    return Score(GameResult.WIN, -turn)


def lost(turn: int) -> Score:
    """The game is lost on `turn`."""
    return Score(GameResult.LOSS, turn)


def estimated(value: float) -> Score:
    """Undecided, worth `value` from -1 to 1.

    Raises:
        ValueError: `value` is outside of that.
    """
    if not -1 <= value <= 1:
        raise ValueError(f"an evaluator has to answer from -1 to 1, this one gave {value}")
    return Score(GameResult.DRAW, value)


WORST = lost(-1)
"""Below every score a position can have."""

BEST = won(-1)
"""Above every score a position can have."""


def end_score(game: Game[Any], player: Player) -> Score | None:
    """The score of a position in which all is over for `player`; None in any other."""
    match game.result(player):
        case None:
            return None
        case GameResult.WIN:
            return won(game.turn)
        case GameResult.LOSS:
            return lost(game.turn)
        case _:
            return estimated(0.0)


def leaf_score(game: GameT, player: Player, until: int, evaluate: Evaluator[GameT]) -> Score | None:
    """The score of a position where the search stops: at an end, or on turn `until`; None elsewhere."""
    end = end_score(game, player)
    if end is None and game.turn >= until:
        return estimated(evaluate(game, player))
    return end
