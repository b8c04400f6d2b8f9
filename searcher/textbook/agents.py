"""Agents that turn the scores of a search into a move."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeVar

from searcher.textbook.game import GameT, Move

ScoreT = TypeVar("ScoreT", bound=Any)


def best_moves(scores: Mapping[Move, ScoreT]) -> list[Move]:
    """Return all moves that share the highest score, in their given order.

    >>> best_moves({"left": 0, "up": 1, "right": 1})
    ['up', 'right']
    """
    best = max(scores.values())
    return [move for move, score in scores.items() if score == best]


@dataclass(frozen=True)
class MinimaxAgent(Generic[GameT]):
    """An agent that plays one of the best moves, each with the same probability.

    Source: "Deep Learning and the Game of Go", listing 2. The book sorts moves into winning, drawing and
    losing ones. This agent takes any ordered score, so that it can play by the search of every chapter.
    """

    score_moves: Callable[[GameT], Mapping[Any, Any]]
    """The search: it scores each legal move. A higher score is better for the player to move."""
    random: Random

    def select_move(self, game: GameT) -> Any:
        """Return a best move of a position that is not over."""
        return self.random.choice(best_moves(self.score_moves(game)))


@dataclass(frozen=True)
class MixedAgent(Generic[GameT]):
    """An agent that plays each move with its probability in a mixed strategy; see `simultaneous`."""

    strategy: Callable[[GameT], Mapping[Any, float]]
    random: Random

    def select_move(self, game: GameT) -> Any:
        """Return a move drawn from the strategy for a position that is not over."""
        probabilities = self.strategy(game)
        return self.random.choices(list(probabilities), weights=list(probabilities.values()))[0]
