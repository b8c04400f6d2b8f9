"""A strategy of the project's own searcher, run in this process."""

import time
from dataclasses import replace
from functools import cache

from arena.players.player import ChosenMove, FaultError, View
from arena.records.model import Limits
from searcher.engine import result
from searcher.engine.position import Position
from searcher.engine.result import JointMove, Result
from searcher.engine.search.clock import Clock
from searcher.interface import Strategy
from searcher.parts import Part, parts_for
from searcher.session import SearchSession

PATIENCE = 600.0
"""Seconds for a search that time does not limit."""

_LETTERS = "udlr"


class StrategyPlayer:
    """Searches with fixed limits. `side` tells it from the others, since no two share a table."""

    remote = False

    def __init__(self, strategy: Strategy, limits: Limits, side: str) -> None:
        self._strategy = strategy
        self._limits = limits
        self._session = _session(side)

    async def start(self, view: View) -> None:
        """Loads the code for every number of snakes that the game may come to."""
        for part in parts_of_game(view.position, self._strategy):
            part.load()

    async def choose(self, view: View) -> ChosenMove:
        """What the search finds. Raises FaultError when it breaks down."""
        milliseconds = self._limits.milliseconds
        clock = Clock(time.monotonic() + (PATIENCE if milliseconds is None else milliseconds / 1000))
        limits = result.Limits(
            depth=self._limits.depth, nodes=self._limits.nodes, threads=self._limits.threads, seed=view.seed
        )
        try:
            found = self._session.search(view.position, self._strategy, limits, clock)
        except Exception as error:
            raise FaultError("crashed", f"{type(error).__name__}: {error}") from error
        return _thought(found)

    async def end(self, view: View) -> None:
        """Nothing to give back."""

    async def close(self) -> None:
        """Its memory stays for the next block of games in this process."""


def parts_of_game(position: Position, strategy: Strategy) -> list[Part]:
    """The compiled parts that searches of a game from this position on use."""
    fewer = (replace(position, snakes=position.snakes[:left]) for left in range(1, len(position.snakes) + 1))
    return list(dict.fromkeys(parts_for(rest, strategy)[0] for rest in fewer))


@cache
def _session(side: str) -> SearchSession:
    """Kept for the life of the process: a table's memory is slow at its first use."""
    return SearchSession()


def _thought(found: Result) -> ChosenMove:
    return ChosenMove(
        move=found.move,
        depth=found.depth,
        nodes=found.nodes,
        score=round(found.score, 6),
        pv=tuple(map(_letters, found.principal_variation)),
    )


def _letters(joint: JointMove) -> str:
    return "".join("-" if move is None else _LETTERS[move] for move in joint)
