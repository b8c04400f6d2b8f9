"""Shadows: other strategies that also search each position. Their answers are recorded and not played."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass

from battlesnake_search import translate
from battlesnake_search.board import Turn
from battlesnake_search.common.logs import EventDict, get_logger
from battlesnake_search.plan import Deadlines
from battlesnake_search.searchable import Searchable
from battlesnake_search.translate import MoveResult
from gateway.routes.config import Variant
from gateway.routes.draw import Choice
from gateway.searchers.pool import SearcherPool

log = get_logger(__name__)

_HEAD_START = 0.002
"""Seconds from the move's own request to its shadows' requests."""

MAX_SEARCHES = 64
"""The limit of concurrent searches of shadows. Further positions are dropped."""

_Played = asyncio.Future[MoveResult | None]


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """A turn with the living snakes alone on its board, and its position as a search takes it.

    `late_before`: our answer of the previous turn came too late.
    """

    turn: Turn
    position: Searchable
    late_before: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of a shadow and of the arm for one position; None without a move."""

    turn: Turn
    choice: Choice
    shadow: Variant
    played: MoveResult | None
    shadowed: MoveResult | None

    @property
    def agreement(self) -> str:
        """Whether both found the same move: yes, no, or unknown if one result is missing."""
        if self.played is None or self.shadowed is None:
            return "unknown"
        return "yes" if self.played.move == self.shadowed.move else "no"


class Shadows(AbstractAsyncContextManager["Shadows"]):
    """The background searches of a snake's positions by its shadows.

    An asynchronous context manager: leaving it cancels the running searches. `record` receives each
    comparison, and `drop` each position that is dropped because too many searches are running.
    """

    def __init__(
        self,
        pool: SearcherPool,
        record: Callable[[Comparison], None],
        drop: Callable[[Choice, Variant], None],
    ) -> None:
        self._pool = pool
        self._record = record
        self._drop = drop
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @contextmanager
    def alongside(self, view: SeenTurn, choice: Choice, deadlines: Deadlines) -> Iterator[_Played]:
        """Start the shadows' searches. They have the deadlines of the search that the block runs.

        The block sets the yielded future to the result of its search, or to None. If the block does not set
        it, no comparison is recorded.
        """
        played: _Played = asyncio.get_running_loop().create_future()
        for shadow in choice.snake.shadows:
            if len(self._tasks) < MAX_SEARCHES:
                self._start(self._compare(view, choice, shadow, deadlines, played))
            else:
                self._drop(choice, shadow)
        try:
            yield played
        finally:
            played.cancel()

    def _start(self, comparing: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(comparing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _compare(
        self, view: SeenTurn, choice: Choice, shadow: Variant, deadlines: Deadlines, played: _Played
    ) -> None:
        await asyncio.sleep(_HEAD_START)
        turn = view.turn
        try:
            reply = await self._pool.search(view.position, shadow.plan(turn), deadlines)
            shadowed = translate.move_result(reply.result)
            # All shadows share the future, so a cancelled shadow must not cancel it for other shadows.
            comparison = Comparison(turn, choice, shadow, await asyncio.shield(played), shadowed)
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


def _fields(kind: str, result: MoveResult | None) -> EventDict:
    if result is None:
        return {}
    return {
        f"{kind}_move": result.move,
        f"{kind}_depth": result.depth,
        f"{kind}_score": round(result.score, 4),
    }
