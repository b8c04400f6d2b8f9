"""A player that searches in this process, with a strategy of the project's searcher."""

import time
from dataclasses import replace
from functools import cache

from arena.players.player import ChosenMove, FaultError, Player, View
from arena.records import MoveLimits
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.translate import version_digest
from searcher.engine import result
from searcher.engine.position import Position
from searcher.engine.result import JointMove, Result
from searcher.engine.rules.records import Shape, shapes_for
from searcher.engine.search.clock import Clock
from searcher.interface import StrategyChoice
from searcher.precompile.code_units import StrategyCode, codes_for
from searcher.session import SearchSession
from searcher.strategies import evaluators

UNTIMED_SECONDS = 600.0
"""The seconds allowed for a search that has no time limit."""

_LETTERS = "udlr"


class StrategyPlayer(Player):
    """A player that searches with fixed limits. Players share no transposition table."""

    def __init__(self, choice: StrategyChoice, limits: MoveLimits, side: str) -> None:
        self._choice = choice
        self._limits = limits
        self._session = _session(side)

    async def version(self, view: View) -> str:
        """Return the digest that a searcher with the same code would report."""
        strategy = self._choice.for_position(view.position)
        message = pb.Strategy(search=strategy.search, evaluator=strategy.evaluator, weights=strategy.weights)
        code = evaluators()[strategy.evaluator].code_digest
        return version_digest(message, code, self._choice.choice_digest)

    async def start(self, view: View) -> None:
        """Load the code for every number of snakes that may remain in the game."""
        for part in parts_of_game(view.position, self._choice):
            part.load()

    async def choose(self, view: View) -> ChosenMove:
        """Return the search's move. Raises FaultError if the search fails."""
        milliseconds = self._limits.milliseconds
        clock = Clock(time.monotonic() + (UNTIMED_SECONDS if milliseconds is None else milliseconds / 1000))
        limits = result.Limits(
            depth=self._limits.depth, nodes=self._limits.nodes, threads=self._limits.threads, seed=view.seed
        )
        try:
            strategy = self._choice.for_position(view.position)
            found = self._session.search(view.position, strategy, limits, clock)
        except Exception as error:
            raise FaultError("crashed", f"{type(error).__name__}: {error}") from error
        return _chosen_move(found)


def parts_of_game(position: Position, choice: StrategyChoice) -> list[StrategyCode]:
    """Return the compiled parts that searches use in a game from this position on."""
    rests = _rests(position)
    return list(dict.fromkeys(codes_for(rest, choice.for_position(rest))[0] for rest in rests))


def shapes_of_game(position: Position) -> list[Shape]:
    """Return the shapes that the board may have in a game from this position on, as snakes die."""
    return list(dict.fromkeys(shapes_for(rest)[0] for rest in _rests(position)))


def _rests(position: Position) -> list[Position]:
    """Return a position for each number of snakes that may be left in the game."""
    return [replace(position, snakes=position.snakes[:left]) for left in range(1, len(position.snakes) + 1)]


@cache
def _session(side: str) -> SearchSession:
    """Return the session of a side. The process keeps it, because the first use of a table is slow."""
    return SearchSession()


def _chosen_move(found: Result) -> ChosenMove:
    return ChosenMove(
        move=found.move,
        depth=found.depth,
        nodes=found.nodes,
        score=round(found.score, 6),
        pv=tuple(map(_letters, found.principal_variation)),
    )


def _letters(joint: JointMove) -> str:
    return "".join("-" if move is None else _LETTERS[move] for move in joint)
