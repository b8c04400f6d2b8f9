"""The events of games, published after the answer has left.

Metrics, the log and the console subscribe. A fault in a subscriber is logged. Moves and the events
of other subscribers continue.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import Self

from battlesnake_search.board import Turn
from battlesnake_search.common.logs import get_logger
from battlesnake_search.record import events as recorded
from battlesnake_search.record.events import Abandoned, BrokenOff
from gateway.play.player import Answer
from gateway.routes.draw import Choice

log = get_logger(__name__)

_PAUSE = 0.003
"""Seconds between an event and its publication, so that the answer is sent first."""


@dataclass(frozen=True, slots=True)
class Started(recorded.Started):
    """A game has started."""

    arm: Choice


@dataclass(frozen=True, slots=True)
class Answered(recorded.Answered):
    """A move was answered."""

    arm: Choice
    played: Answer


@dataclass(frozen=True, slots=True)
class Mended:
    """A request's body needed mends of these kinds. The `new` kinds had not occurred in the game before."""

    turn: Turn
    kinds: frozenset[str]
    new: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ended(recorded.Ended):
    """A game has ended. `turn` is its last turn, with the living snakes of the end."""

    arm: Choice


@dataclass(frozen=True, slots=True)
class Probed(recorded.Probed):
    """A game was only a check of the snake: one snake alone, at turn 0."""

    turn: Turn
    arm: Choice


Event = Started | Answered | Mended | Ended | Probed | BrokenOff | Abandoned

Subscriber = Callable[[Event], None]


class Events:
    """The publisher of events to the subscribers, in order.

    Subscribers run in the context of the event's request, so that log lines and exemplars of metrics get its
    trace. An asynchronous context manager: leaving it flushes.
    """

    def __init__(self, subscribers: Sequence[Subscriber] = ()) -> None:
        self._subscribers = list(subscribers)
        self._waiting: deque[tuple[Event, Context]] = deque()
        self._arrived = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._publish_all())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self.flush()

    def flush(self) -> None:
        """Pass all waiting events on at once."""
        while self._waiting:
            event, context = self._waiting.popleft()
            context.run(self._deliver, event)

    def publish(self, event: Event) -> None:
        """Take an event without waiting."""
        self._waiting.append((event, copy_context()))
        self._arrived.set()

    async def _publish_all(self) -> None:
        while True:
            await self._arrived.wait()
            await asyncio.sleep(_PAUSE)
            self._arrived.clear()
            self.flush()

    def _deliver(self, event: Event) -> None:
        for subscriber in self._subscribers:
            try:
                subscriber(event)
            except Exception:
                log.exception("event not taken", kind=type(event).__name__, subscriber=repr(subscriber))
