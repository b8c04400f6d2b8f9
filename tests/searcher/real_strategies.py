"""The strategies of the project, compiled when they are first used."""

from collections.abc import Mapping, Sequence

from searcher import strategies
from searcher.engine.position import Direction, Position
from searcher.engine.rules.records import shapes_for
from searcher.interface import Offer, PlayedTurn, Progress, Search, SnakeEvaluation, Strategy
from searcher.session import SearchSession, evaluate, play_turn


class RealStrategies:
    """A provider of every strategy."""

    offer: Offer = strategies.offer()

    def new_search(self) -> Search:
        """Return a search function for one thread."""
        return SearchSession().search

    def evaluate(self, position: Position, strategy: Strategy) -> Sequence[SnakeEvaluation]:
        """Evaluate a position."""
        return evaluate(position, strategy, shapes_for(position)[0])

    def take_off(self, evaluator: str, reason: str) -> None:
        """Do nothing."""

    def advance(self, position: Position, moves: Mapping[str, Direction]) -> PlayedTurn:
        """Play a turn."""
        return play_turn(position, moves)

    def warm_up(self, progress: Progress) -> None:
        """Do nothing."""
