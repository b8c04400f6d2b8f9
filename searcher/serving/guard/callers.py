"""The callers of the port: their tokens, the tokens' limits, and the refused calls."""

import asyncio
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from urllib.parse import unquote

from google.rpc import code_pb2

from battlesnake_search.common.access import Check, Refusal, Token, TokenFile, bearer
from battlesnake_search.common.logs import get_logger
from searcher.errors import OverloadedError, RequestError
from searcher.serving.metrics import PortMetrics

_PAUSE = 1.0
"""Seconds between two lines of the log about the same reason and caller."""

_log = get_logger(__name__)


class RefusedCallError(RequestError):
    """A call that the port refuses because of its caller. `reason` is the counter's label."""

    def __init__(self, code: code_pb2.Code, reason: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.reason = reason


class ExceededLimitError(OverloadedError):
    """A call beyond a limit. After `retry_after` seconds there is room again."""

    def __init__(self, reason: str, text: str, retry_after: float) -> None:
        super().__init__(text, retry_after)
        self.reason = reason


class Refusals:
    """Counts refused calls, and logs at most one line a second for each reason and caller."""

    def __init__(self, metrics: PortMetrics) -> None:
        self._metrics = metrics
        self._unlogged: dict[tuple[str, str], int] = {}

    def record(self, reason: str, known: str, claimed: str, peer: str) -> None:
        """Record a refused call.

        `known` is the caller's name if the token file has it, or else empty, so that unknown callers can't
        create counters or fill the log. `claimed` is the name in the caller's token.
        """
        self._metrics.refused.labels(reason, known).inc()
        key = reason, known
        if key in self._unlogged:
            self._unlogged[key] += 1
        else:
            _log_refused(reason, claimed, peer, 1)
            self._pause(key)

    def _pause(self, key: tuple[str, str]) -> None:
        self._unlogged[key] = 0
        asyncio.get_running_loop().call_later(_PAUSE, self._resume, key)

    def _resume(self, key: tuple[str, str]) -> None:
        """Log the number of calls refused during a pause, if any."""
        if count := self._unlogged.pop(key):
            _log_refused(*key, "", count)
            self._pause(key)


def _log_refused(reason: str, name: str, peer: str, count: int) -> None:
    _log.warning("call refused", reason=reason, token=name, peer=unquote(peer), count=count)


MOST_OPEN_CALLS = 500
"""The limit of simultaneous calls without a token, so that they can't keep out callers with a token."""

HEALTH = "grpc.health.v1.Health/"
"""The prefix of the names of calls that never need a token, because probes have no tokens."""

OPENABLE: Mapping[str, str] = MappingProxyType(
    {"reflection": "grpc.reflection.", "strategies": "battlesnake.search.v1.SearchService/ListStrategies"}
)
"""The services that may be open to callers without a token. Each has the prefix of its calls' names."""

_ASK = "this searcher asks for a token: send the metadata authorization: Bearer TOKEN"

_REFUSE = "this searcher refuses the token: its operator can give you another one"
"""The same text for every refused token, so that callers can't find out names and secrets."""

_SHORTEST_WAIT = 0.001
"""The shortest wait in an answer, in seconds."""

OPEN_CALLS_WAIT = 1.0
"""A caller without a token has to wait this many seconds while too many calls without a token are open."""


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


class Caller:
    """The caller of a call, with the call's arrival and limits. Calls without a token have no limits."""

    def __init__(
        self,
        name: str = "",
        token: Token | None = None,
        usage: Usage | None = None,
        arrived: float | None = None,
    ) -> None:
        self.name = name
        """The name in the token file, empty if the call needs no token."""
        self.arrived = time.monotonic() if arrived is None else arrived
        """The time at which the call arrived, before its message, in `time.monotonic()` seconds."""
        self._token = token
        self._usage = usage

    def count_call(self) -> None:
        """Count a call. Raises ExceededLimitError if there are too many calls."""
        if self._token and self._usage:
            self._usage.count_call(self._token.calls_per_second)

    @contextmanager
    def searching(self, end: float) -> Iterator[None]:
        """Count a search that ends at `end`. Raises ExceededLimitError if too many searches are running."""
        if self._token and self._usage:
            with self._usage.searching(end, self._token.searches_at_once):
                yield
        else:
            yield

    @property
    def searches_at_once(self) -> int | None:
        """The largest number of simultaneous searches, or None without a limit."""
        return self._token.searches_at_once if self._token else None

    @property
    def longest_search(self) -> float | None:
        """The longest search in seconds, or None without a limit."""
        return self._token.longest_search if self._token else None


_current: ContextVar[Caller | None] = ContextVar("caller", default=None)


def current() -> Caller:
    """Return the caller of the current call."""
    return _current.get() or Caller()


class Callers:
    """The callers in a token file. Without the file, any client may call."""

    def __init__(self, tokens: TokenFile | None = None, without_token: Collection[str] = ()) -> None:
        self._tokens = tokens
        self._open = (HEALTH, *(OPENABLE[name] for name in without_token))
        self._open_calls = 0
        self._usage: dict[str, Usage] = {}

    def check(self, method: str, authorization: str) -> Check | None:
        """Check the token of a call of this full name. Return None if the call needs no token."""
        if self._tokens is None or method.startswith(self._open):
            return None
        return self._tokens.check(bearer(authorization))

    @contextmanager
    def calling(self, check: Check | None, arrived: float) -> Iterator[None]:
        """Count a call, and make its caller the current caller. Raises RefusedCallError for a refused call.

        `arrived` is the arrival of the call by `time.monotonic()`.
        """
        if check is None:
            with self._counted_open_call():
                _current.set(Caller(arrived=arrived))
                yield
            return
        if check.refusal or check.token is None:
            text = _ASK if check.refusal is Refusal.MISSING else _REFUSE
            raise RefusedCallError(code_pb2.UNAUTHENTICATED, str(check.refusal and check.refusal.value), text)
        usage = self._usage.setdefault(check.name, Usage())
        caller = Caller(check.name, check.token, usage, arrived)
        caller.count_call()
        _current.set(caller)
        yield

    @contextmanager
    def _counted_open_call(self) -> Iterator[None]:
        if self._tokens is not None and self._open_calls >= MOST_OPEN_CALLS:
            text = "too many calls without a token at once"
            raise ExceededLimitError("open_calls", text, OPEN_CALLS_WAIT)
        self._open_calls += 1
        try:
            yield
        finally:
            self._open_calls -= 1


def known_name(check: Check | None) -> str:
    """Return the name of a caller if the token file has it, or else an empty string."""
    return "" if check is None or check.refusal is Refusal.UNKNOWN else check.name
