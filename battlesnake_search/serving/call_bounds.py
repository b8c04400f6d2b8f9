"""Shares of a port: the calls of each caller, the messages being read, and the bytes that are kept."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from battlesnake_search.common.peers import SHARE
from battlesnake_search.serving.errors import ExceededLimitError

_WAIT = 1.0
"""Seconds after which a caller may try again if there is no room."""


class Places:
    """Places for calls. If all are taken, the caller with the most calls loses its oldest one.

    A caller is a token's name or an address. A caller on a Unix socket is empty, and only `most` bounds its
    calls. `name` is the label of a refusal's counter, and `calls` names the calls in the text of a refusal.
    With `ends_own`, a caller's new call also ends its own oldest call.
    """

    def __init__(self, most: int, name: str, calls: str, *, ends_own: bool = False) -> None:
        self._most = most
        self._name = name
        self._calls = calls
        self._ends_own = ends_own
        self._taken = 0
        self._by_caller: dict[str, dict[asyncio.Timeout, None]] = {}
        """The calls of each caller, the oldest first."""

    @asynccontextmanager
    async def place(self, caller: str) -> AsyncIterator[None]:
        """Take a place for a call. Raises ExceededLimitError if none is free, or if another call needs it."""
        self._make_room(caller)
        place = asyncio.timeout(None)
        try:
            async with place:
                self._by_caller.setdefault(caller, {})[place] = None
                self._taken += 1
                try:
                    yield
                finally:
                    self._remove(caller, place)
        except TimeoutError:
            if not place.expired():
                raise
            text = f"too many {self._calls} at once: this one ended, because its caller had the most"
            raise self._refusal(text) from None

    def _make_room(self, caller: str) -> None:
        own = len(self._by_caller.get(caller, ()))
        if caller and not self._ends_own and own >= SHARE * self._most:
            raise self._refusal(
                f"too many {self._calls} at once: one caller may have {int(SHARE * self._most)}"
            )
        if self._taken < self._most:
            return
        heaviest = max(self._by_caller, key=lambda each: len(self._by_caller[each]))
        if not self._ends_own and len(self._by_caller[heaviest]) <= own + 1:
            raise self._refusal(f"too many {self._calls} at once: all callers may have {self._most}")
        place = next(iter(self._by_caller[heaviest]))
        self._remove(heaviest, place)
        place.reschedule(asyncio.get_running_loop().time())

    def _remove(self, caller: str, place: asyncio.Timeout) -> None:
        places = self._by_caller.get(caller, {})
        if place in places:
            del places[place]
            self._taken -= 1
        if not places:
            self._by_caller.pop(caller, None)

    def _refusal(self, text: str) -> ExceededLimitError:
        return ExceededLimitError(self._name, text, _WAIT)


QUEUE_PATIENCE = 0.1
"""Seconds that a message has to arrive while other calls wait for their turn."""


class Readers:
    """The calls whose message is being read, because gRPC may hold the largest one for each of them.

    If there are too many, further calls wait. The latest one is the next, because the messages of most calls
    arrive with the calls, and the others wait for a caller that sends nothing.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._reading: set[asyncio.Timeout] = set()
        self._waiting: list[asyncio.Future[None]] = []

    @asynccontextmanager
    async def reading(self, seconds: float) -> AsyncIterator[None]:
        """Read a message within some seconds, or sooner if other calls wait. Raises TimeoutError."""
        async with asyncio.timeout(seconds) as patience:
            while len(self._reading) >= self._most:
                await self._wait()
            self._reading.add(patience)
            if self._waiting:
                _hasten(patience)
            try:
                yield
            finally:
                self._reading.discard(patience)
                self._wake()

    async def _wait(self) -> None:
        if not self._waiting:
            for patience in self._reading:
                _hasten(patience)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn in self._waiting:
                self._waiting.remove(turn)
            else:
                self._wake()
            raise

    def _wake(self) -> None:
        """Let the latest waiting call read."""
        if self._waiting:
            settled = self._waiting.pop()
            if not settled.done():
                settled.set_result(None)


def _hasten(patience: asyncio.Timeout) -> None:
    end = asyncio.get_running_loop().time() + QUEUE_PATIENCE
    if not patience.expired() and (patience.when() or end) > end:
        patience.reschedule(end)


class Bytes:
    """The bytes of the messages of all running calls. A decoded message takes many times its bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._by_caller: Counter[str] = Counter()

    @contextmanager
    def held(self, caller: str, size: int) -> Iterator[None]:
        """Hold the bytes of a message. Raises ExceededLimitError without room for them."""
        own = self._by_caller[caller]
        if self._held + size > self._most or (caller and own + size > SHARE * self._most):
            text = (
                f"no room for {size} bytes: running calls may have {self._most}, and one caller half of them"
            )
            raise ExceededLimitError("bytes", text, _WAIT)
        self._held += size
        self._by_caller[caller] += size
        try:
            yield
        finally:
            self._held -= size
            self._by_caller[caller] -= size
            if not self._by_caller[caller]:
                del self._by_caller[caller]
