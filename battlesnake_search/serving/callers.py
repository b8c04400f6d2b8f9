"""The callers of the port: their tokens, the tokens' limits, and the refused calls."""

import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from google.rpc import code_pb2

from battlesnake_search.common.access import Check, Refusal, Token, TokenFile, bearer
from battlesnake_search.common.peers import address_of
from battlesnake_search.serving.call_bounds import Places
from battlesnake_search.serving.errors import ExceededLimitError, RefusedCallError
from battlesnake_search.serving.program import Program

MOST_CALLS = 2_000
"""The limit of simultaneous calls of all callers, except calls for the health."""

MOST_OPEN_CALLS = 500
"""The limit of simultaneous calls without a token, so that they can't keep out callers with a token."""

MOST_HEALTH_CALLS = 200
"""The limit of simultaneous calls for the health. A further call ends the oldest call of the caller with the
most, so a probe is always answered."""

HEALTH = "grpc.health.v1.Health/"
"""The prefix of the names of calls that never need a token, because probes have no tokens."""

_ASK = "this {} asks for a token: send the metadata authorization: Bearer TOKEN"

_REFUSE = "this {} refuses the token: its operator can give you another one"
"""The same text for every refused token, so that callers can't find out names and secrets."""

_SHORTEST_WAIT = 0.001
"""The shortest wait in an answer, in seconds."""


class Usage:
    """The used part of a token's limits. Each call passes the limits, as the token file may change."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._calls = 0.0
        """Recent calls, less `rate` calls for each second since then."""
        self._updated = now()
        self._ends: list[float] = []
        """The latest ends of the running searches, in `time.monotonic()` seconds."""

    def count_call(self, rate: float | None) -> None:
        """Count a call. Raises ExceededLimitError if there are more than `rate` a second.

        A caller may make all calls of one second at the same moment, and at least one call.
        """
        if rate is None:
            return
        now = self._now()
        self._calls = max(0.0, self._calls - (now - self._updated) * rate)
        self._updated = now
        if (excess := self._calls + 1 - max(rate, 1.0)) > 0:
            text = f"too many calls: this token has {rate:g} a second"
            raise ExceededLimitError("calls_per_second", text, excess / rate)
        self._calls += 1

    @contextmanager
    def searching(self, end: float, most: int | None) -> Iterator[None]:
        """Count a search that ends at `end`. Raises ExceededLimitError if `most` searches are running."""
        if most is not None and len(self._ends) >= most:
            text = f"too many searches at once: this token has {most}"
            wait = max(_SHORTEST_WAIT, min(self._ends) - self._now())
            raise ExceededLimitError("searches_at_once", text, wait)
        self._ends.append(end)
        try:
            yield
        finally:
            self._ends.remove(end)


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a call, with the call's arrival and limits. Calls without a token have no limits."""

    name: str = ""
    """The name in the token file, empty if the call needs no token."""
    address: str = ""
    arrived: float = field(default_factory=time.monotonic)
    """The time at which the call arrived, before its message, in `time.monotonic()` seconds."""
    token: Token | None = None
    usage: Usage = field(default_factory=Usage)

    @property
    def key(self) -> str:
        """The caller whose calls are counted together: the name of a token, or else an address."""
        return self.name or self.address

    def count_call(self) -> None:
        """Count a call. Raises ExceededLimitError if there are too many calls."""
        self.usage.count_call(self.token.calls_per_second if self.token else None)

    def searching(self, end: float) -> AbstractContextManager[None]:
        """Count a search that ends at `end`. Raises ExceededLimitError if too many searches are running."""
        return self.usage.searching(end, self.searches_at_once)

    @property
    def searches_at_once(self) -> int | None:
        """The largest number of simultaneous searches, or None without a limit."""
        return self.token.searches_at_once if self.token else None

    @property
    def longest_search(self) -> float | None:
        """The longest search in seconds, or None without a limit."""
        return self.token.longest_search if self.token else None


_current: ContextVar[Caller | None] = ContextVar("caller", default=None)


def current() -> Caller:
    """Return the caller of the current call."""
    return _current.get() or Caller()


class Callers:
    """The callers in a token file. Without the file, any client may call the program."""

    def __init__(
        self, program: Program, tokens: TokenFile | None = None, without_token: Collection[str] = ()
    ) -> None:
        self._name = program.name
        self._tokens = tokens
        self._open = (HEALTH, *(program.openable[name] for name in without_token))
        self._usage: dict[str, Usage] = {}
        self._calls = Places(MOST_CALLS, "calls", "calls")
        self._open_calls = Places(MOST_OPEN_CALLS, "open_calls", "calls without a token")
        self._health_calls = Places(MOST_HEALTH_CALLS, "health_calls", "calls for the health", ends_own=True)

    def check(self, method: str, authorization: str) -> Check | None:
        """Check the token of a call of this full name. Return None if the call needs no token."""
        if self._tokens is None or method.startswith(self._open):
            return None
        return self._tokens.check(bearer(authorization))

    @asynccontextmanager
    async def calling(
        self, method: str, check: Check | None, arrived: float, peer: str
    ) -> AsyncIterator[Caller]:
        """Count a call while it runs, and make its caller the current caller.

        `arrived` is the arrival of the call by `time.monotonic()`. Raises RefusedCallError or
        ExceededLimitError for a refused call.
        """
        caller = self._caller(check, arrived, peer)
        caller.count_call()
        async with self._places(method, check).place(caller.key):
            _current.set(caller)
            yield caller

    def _caller(self, check: Check | None, arrived: float, peer: str) -> Caller:
        if check is None:
            return Caller("", address_of(peer), arrived)
        if check.refusal or check.token is None:
            text = _ASK if check.refusal is Refusal.MISSING else _REFUSE
            reason = str(check.refusal and check.refusal.value)
            raise RefusedCallError(code_pb2.UNAUTHENTICATED, reason, text.format(self._name))
        usage = self._usage.setdefault(check.name, Usage())
        return Caller(check.name, "", arrived, check.token, usage)

    def _places(self, method: str, check: Check | None) -> Places:
        if method.startswith(HEALTH):
            return self._health_calls
        return self._open_calls if self._tokens is not None and check is None else self._calls


def known_name(check: Check | None) -> str:
    """Return the name of a caller if the token file has it, or else an empty string."""
    return "" if check is None or check.refusal is Refusal.UNKNOWN else check.name
