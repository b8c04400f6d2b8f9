"""The player: it answers each turn in time, with a search's move or a reflex."""

import asyncio
from dataclasses import dataclass
from enum import Enum

import structlog

from battlesnake_search import translate
from battlesnake_search.board import Turn
from battlesnake_search.plan import Deadlines
from battlesnake_search.searcher_client import Failure, SearchReply
from battlesnake_search.translate import MoveResult
from gateway import reflex
from gateway.play.budget import LONGEST_TIMEOUT, Budgets
from gateway.play.shadows import Shadows
from gateway.routes.config import Choice
from gateway.searchers.pool import SearcherPool

log = structlog.get_logger(__name__)


class Source(Enum):
    """The origin of a move."""

    SEARCH = "search"
    BEST_SO_FAR = "best-so-far"
    REFLEX = "reflex"


@dataclass(frozen=True, slots=True)
class Answer:
    """A move and its origin. Times are in seconds; `elapsed` counts from the request's arrival.

    `result` is None for a reflex. `late_before`: the engine reported the previous answer as late.
    """

    move: str
    source: Source
    elapsed: float
    left: float
    """The time left until the engine's timeout, as far as the gateway knows."""
    result: MoveResult | None
    failures: tuple[Failure, ...]
    late_before: bool
    budget: float = 0.0
    """The time after the request's arrival at which the search had to end."""

    @property
    def overhead(self) -> float | None:
        """The time that was not the search's own; None unless the first attempt completed its search."""
        if self.result is None or self.source is not Source.SEARCH or self.failures:
            return None
        return self.elapsed - self.result.seconds


class Player:
    """Plays the arms that the routes choose, in any number of games at once.

    No answer takes longer than `longest` milliseconds, whatever timeout a game states.
    """

    def __init__(self, pool: SearcherPool, shadows: Shadows, longest: float = LONGEST_TIMEOUT) -> None:
        self._pool = pool
        self._shadows = shadows
        self._now = asyncio.get_running_loop().time
        self._budgets = Budgets(lambda: self._now() * 1000, longest)

    async def answer(self, turn: Turn, choice: Choice, arrived: float) -> Answer:
        """Choose a move in time; never fail. `arrived` is the request's arrival by the loop's clock."""
        allowance = self._budgets.allow(turn)
        deadlines = Deadlines(arrived + allowance.search / 1000, arrived + allowance.answer / 1000)
        with self._shadows.alongside(turn, choice, deadlines) as played:
            reply = await self._search(turn, choice, deadlines)
            result = translate.move_result(reply.result)
            played.set_result(result)
        move = result.move if result else reflex.choose(turn)
        elapsed = self._now() - arrived
        self._budgets.record(turn, allowance, elapsed * 1000, searched=result is not None)
        return Answer(
            move=move,
            source=_source(result, reply.final),
            elapsed=elapsed,
            left=turn.timeout / 1000 - elapsed,
            result=result,
            failures=tuple(reply.failures),
            late_before=turn.latency >= turn.timeout,
            budget=allowance.search / 1000,
        )

    def forget(self, turn: Turn) -> None:
        """Drop what was learned in a game that is over."""
        self._budgets.forget(turn)

    async def _search(self, turn: Turn, choice: Choice, deadlines: Deadlines) -> SearchReply:
        try:
            return await self._pool.search(turn, choice.arm.plan(turn), deadlines)
        except Exception:
            # Whatever the error, the engine is waiting for a move.
            log.exception("search failed", game_id=turn.game.id, turn=turn.turn)
            return SearchReply()


def _source(result: MoveResult | None, final: bool) -> Source:
    if result is None:
        return Source.REFLEX
    return Source.SEARCH if final else Source.BEST_SO_FAR
