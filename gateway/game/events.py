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
from battlesnake_search.record.events import Abandoned, BrokenOff, deliver
from battlesnake_search.record.outcome import Outcome
from gateway.play.player import Answer
from gateway.routes.draw import Choice

_PAUSE = 0.003
"""Seconds between an event and its publication, so that the search or the answer is sent first."""

MOST_BYTES = 3_000_000
"""The most bytes of the turns of waiting events. Further events of turns are dropped. Ends may take as much
again."""

_AT_ONCE = 64
"""The waiting events for each further event that is passed on in one piece."""

_LEAST_BYTES = 1024
"""The bytes of an event without a turn."""


@dataclass(frozen=True, slots=True)
class Started:
    """A game has started. The boards of all events have the living snakes alone."""

    turn: Turn
    choice: Choice


@dataclass(frozen=True, slots=True)
class Asked:
    """The engine requests a move for a turn."""

    turn: Turn
    choice: Choice


@dataclass(frozen=True, slots=True)
class Answered:
    """A move was answered."""

    turn: Turn
    choice: Choice
    answer: Answer


@dataclass(frozen=True, slots=True)
class Mended:
    """A request's body needed mends of these kinds. The `new` kinds had not occurred in the game before."""

    turn: Turn
    kinds: frozenset[str]
    new: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ended:
    """A game has ended. `turn` is its last turn, with the living snakes of the end."""

    turn: Turn
    choice: Choice
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Probed:
    """A game was only a check of the snake: one snake alone, at turn 0."""

    turn: Turn
    choice: Choice


Event = Started | Asked | Answered | Mended | Ended | Probed | BrokenOff | Abandoned

Subscriber = Callable[[Event], None]

_OF_TURNS = (Started, Asked, Answered, Mended)


def _size(event: Event) -> int:
    """Return the bytes that an event takes in memory."""
    return _LEAST_BYTES if isinstance(event, BrokenOff | Abandoned) else event.turn.size


class Events:
    """The publisher of events to the subscribers, in order.

    Subscribers run in the context of the event's request, so that log lines and exemplars of metrics get its
    trace. An asynchronous context manager: leaving it flushes.
    """

    def __init__(self, subscribers: Sequence[Subscriber] = ()) -> None:
        self._subscribers = list(subscribers)
        self._waiting: deque[tuple[Event, Context]] = deque()
        self._bytes = 0
        self._arrived = asyncio.Event()
        self.dropped = 0
        """The number of events that were dropped because too many waited."""

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._publish_all())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        while self._waiting:
            self._pass_on()

    def publish(self, event: Event) -> None:
        """Take an event without waiting."""
        if self._bytes >= (MOST_BYTES if isinstance(event, _OF_TURNS) else 2 * MOST_BYTES):
            self.dropped += 1
            return
        self._bytes += _size(event)
        self._waiting.append((event, copy_context()))
        self._arrived.set()

    async def _publish_all(self) -> None:
        while True:
            await self._arrived.wait()
            await asyncio.sleep(_PAUSE)
            self._arrived.clear()
            while self._waiting:
                # The more events wait, the more are passed on at once, so that a burst of ends loses none.
                for _ in range(1 + len(self._waiting) // _AT_ONCE):
                    self._pass_on()
                # Let requests that have arrived meanwhile run first.
                await asyncio.sleep(0)

    def _pass_on(self) -> None:
        event, context = self._waiting.popleft()
        self._bytes -= _size(event)
        context.run(deliver, event, self._subscribers)
