"""Shadows: a move's position also goes to other strategies, whose answers are recorded and not played."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

import structlog

from gateway.bodies import Turn
from gateway.routes.config import Choice, Variant
from gateway.searchers import translate
from gateway.searchers.pool import Searchers
from gateway.searchers.translate import Verdict

log = structlog.get_logger(__name__)

_HEAD_START = 0.002

MOST = 64
"""Searches of shadows at once; positions beyond that are dropped."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A shadow's answer beside the arm's, for one position; None where no searcher gave any."""

    turn: Turn
    choice: Choice
    shadow: Variant
    played: Verdict | None
    shadowed: Verdict | None

    @property
    def agreement(self) -> str:
        """Whether both found the same move: yes, no, or unknown when one of them found none."""
        if self.played is None or self.shadowed is None:
            return "unknown"
        return "yes" if self.played.move == self.shadowed.move else "no"


class Counters(Protocol):
    """Counts what shadows find out."""

    def count_shadow(self, comparison: Comparison) -> None:
        """A shadow has answered, or failed to."""

    def count_dropped_shadow(self, choice: Choice, shadow: Variant) -> None:
        """A shadow was not asked, because too many are being asked."""


class Shadows(AbstractAsyncContextManager["Shadows"]):
    """Asks the shadows of a snake. An asynchronous context manager: leaving it gives up what is under way.

    `record` takes each comparison over, for its game.
    """

    def __init__(
        self, searchers: Searchers, counters: Counters, record: Callable[[Comparison], None]
    ) -> None:
        self._searchers = searchers
        self._counters = counters
        self._record = record
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @contextmanager
    def beside(
        self, turn: Turn, choice: Choice, soft: float, hard: float
    ) -> Iterator[asyncio.Future[Verdict | None]]:
        """Ask while the block searches for the move, with the same limits of time, and wait for nothing.

        The block sets what it found as the future's result; if it doesn't, nothing is recorded.
        """
        played = asyncio.get_running_loop().create_future()
        for shadow in choice.snake.shadows:
            if len(self._tasks) < MOST:
                self._start(self._compare(turn, choice, shadow, soft, hard, played))
            else:
                self._counters.count_dropped_shadow(choice, shadow)
        try:
            yield played
        finally:
            played.cancel()

    def _start(self, comparing: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(comparing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _compare(
        self,
        turn: Turn,
        choice: Choice,
        shadow: Variant,
        soft: float,
        hard: float,
        played: asyncio.Future[Verdict | None],
    ) -> None:
        # The move's own request leaves first.
        await asyncio.sleep(_HEAD_START)
        try:
            found = await self._searchers.search(turn, shadow.plan(turn), soft, hard)
            shadowed = translate.verdict(found.result) if found.result else None
            # The future is of all shadows: one that is given up doesn't take it from the others.
            comparison = Comparison(turn, choice, shadow, await asyncio.shield(played), shadowed)
            self._counters.count_shadow(comparison)
            self._record(comparison)
            _log(comparison)
        except Exception:
            log.exception("shadow failed", game_id=turn.game.id, turn=turn.turn, shadow=shadow.name)


def _log(comparison: Comparison) -> None:
    log.info(
        "shadow",
        game_id=comparison.turn.game.id,
        turn=comparison.turn.turn,
        arm=comparison.choice.arm.name,
        shadow=comparison.shadow.name,
        agreement=comparison.agreement,
        **_fields("played", comparison.played),
        **_fields("shadow", comparison.shadowed),
    )


def _fields(kind: str, verdict: Verdict | None) -> dict[str, object]:
    if verdict is None:
        return {}
    return {
        f"{kind}_move": verdict.move,
        f"{kind}_depth": verdict.depth,
        f"{kind}_score": round(verdict.score, 4),
    }
