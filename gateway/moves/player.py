"""Decides on a move: a search as long as the budget allows, else a reflex."""

import asyncio
from dataclasses import dataclass
from enum import Enum

import structlog

from gateway import reflex
from gateway.bodies import Turn
from gateway.moves.budget import Budgets
from gateway.moves.shadows import Shadows
from gateway.routes.config import Choice
from gateway.searchers import translate
from gateway.searchers.client import Failure, Found
from gateway.searchers.pool import Searchers
from gateway.searchers.translate import Verdict

log = structlog.get_logger(__name__)


class Source(Enum):
    """Where a move comes from."""

    SEARCH = "search"
    BEST_SO_FAR = "best-so-far"
    REFLEX = "reflex"


@dataclass(frozen=True, slots=True)
class Answer:
    """A move and how it came about. Times are seconds; `elapsed` counts from the request's arrival.

    `verdict` is absent from a reflex. `late_before`: the engine found the answer before this one late.
    """

    move: str
    source: Source
    elapsed: float
    left: float
    """Until the engine's timeout, as far as the gateway can tell."""
    verdict: Verdict | None
    failures: tuple[Failure, ...]
    late_before: bool

    @property
    def overhead(self) -> float | None:
        """What was not the search's own time; None unless a search was completed at the first try."""
        if self.verdict is None or self.source is not Source.SEARCH or self.failures:
            return None
        return self.elapsed - self.verdict.seconds


class Player:
    """Plays what the routes chose, in any number of games at once."""

    def __init__(self, searchers: Searchers, shadows: Shadows) -> None:
        self._searchers = searchers
        self._shadows = shadows
        self._now = asyncio.get_running_loop().time
        self._budgets = Budgets(lambda: self._now() * 1000)

    async def answer(self, turn: Turn, choice: Choice, arrived: float) -> Answer:
        """Choose a move in time. `arrived`: when the request did, by the loop's clock. Always answers."""
        allowance = self._budgets.allow(turn)
        soft, hard = arrived + allowance.search / 1000, arrived + allowance.answer / 1000
        with self._shadows.beside(turn, choice, soft, hard) as played:
            found = await self._search(turn, choice, soft, hard)
            verdict = translate.verdict(found.result) if found.result else None
            played.set_result(verdict)
        move = verdict.move if verdict else reflex.choose(turn)
        elapsed = self._now() - arrived
        self._budgets.record(turn, allowance, elapsed * 1000, searched=verdict is not None)
        return Answer(
            move=move,
            source=_source(verdict, found.final),
            elapsed=elapsed,
            left=turn.timeout / 1000 - elapsed,
            verdict=verdict,
            failures=tuple(found.failures),
            late_before=turn.latency >= turn.timeout,
        )

    def forget(self, turn: Turn) -> None:
        """Drop what was learned in a game that is over."""
        self._budgets.forget(turn)

    async def _search(self, turn: Turn, choice: Choice, soft: float, hard: float) -> Found:
        try:
            return await self._searchers.search(turn, choice.arm.plan(turn), soft, hard)
        except Exception:
            # Whatever it was: an engine that waits for its answer comes first.
            log.exception("search failed", game_id=turn.game.id, turn=turn.turn)
            return Found()


def _source(verdict: Verdict | None, final: bool) -> Source:
    if verdict is None:
        return Source.REFLEX
    return Source.SEARCH if final else Source.BEST_SO_FAR
