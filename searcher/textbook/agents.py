"""Who plays: agents that turn what a search found out into a move."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeVar

from searcher.textbook.game import GameT, Move

ScoreT = TypeVar("ScoreT", bound=Any)


def best_moves(scores: Mapping[Move, ScoreT]) -> list[Move]:
    """All moves that share the highest score, in the order they came.

    >>> best_moves({"left": 0, "up": 1, "right": 1})
    ['up', 'right']
    """
    best = max(scores.values())
    return [move for move, score in scores.items() if score == best]


@dataclass(frozen=True)
class MinimaxAgent(Generic[GameT]):
    """Plays any of the best moves, all with the same chance.

    Source: "Deep Learning and the Game of Go", listing 2. It sorts moves into winning, drawing and
    losing ones; here any ordered score does, so that each chapter's search can play.
    """

    score_moves: Callable[[GameT], Mapping[Any, Any]]
    """Gives each legal move its score; the higher, the better for the player to move."""
    random: Random

    def select_move(self, game: GameT) -> Any:
        """A best move of a position that is not over."""
        return self.random.choice(best_moves(self.score_moves(game)))


@dataclass(frozen=True)
class MixedAgent(Generic[GameT]):
    """Plays each move with the probability that a mixed strategy gives it; see `atonce`."""

    strategy: Callable[[GameT], Mapping[Any, float]]
    random: Random

    def select_move(self, game: GameT) -> Any:
        """A move drawn from the strategy for a position that is not over."""
        chances = self.strategy(game)
        return self.random.choices(list(chances), weights=list(chances.values()))[0]
