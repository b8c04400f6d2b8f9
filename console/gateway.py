"""The gateways whose games the console records: their streams of events, and the states that they tell."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from time import monotonic
from typing import TypeVar

import msgspec

from battlesnake_search.record.status import (
    ExperimentStatus,
    MovesStatus,
    ReadinessStatus,
    SearcherStatus,
    Status,
)

_PATIENCE = 1.5
"""The most seconds that a reader waits for the states of gateways. Later ones are of an earlier reading."""

_SHARED_FOR = 1.0
"""Seconds for which all readers get the same state of a gateway."""

_SILENT = 5.0
"""Seconds without an answer after which a connected gateway counts as not ready."""

_REMEMBERED = 60.0
"""Seconds for which a gateway that has left is shown. A restart takes less."""

_MOST_LEFT = 16
"""The most gateways that have left and are shown."""

NOBODY = "no gateway is connected"
NOTHING_TOLD = "no gateway has told its state yet"

_Item = TypeVar("_Item")


class GatewayStream:
    """The stream of a connected gateway, and what it is told: acknowledgements and requests for its state."""

    def __init__(self) -> None:
        self.taken = 0
        """The highest number of a received event."""
        self.acknowledged = 0
        """All events up to this number are stored."""
        self.wants_status = False
        self.status: Status | None = None
        self.told = asyncio.Event()
        """Set when the gateway should be told something."""
        self._has_answered = asyncio.Event()
        self._asked_at: float | None = None
        """The time of the oldest question without an answer."""
        self._last_asked = float("-inf")

    def acknowledge(self, number: int) -> None:
        """Tell the gateway that its events up to this number are stored."""
        self.acknowledged = max(self.acknowledged, number)
        self.told.set()

    def set_status(self, status: Status) -> None:
        """Take the present state."""
        self.status, self._asked_at = status, None
        self._has_answered.set()

    def ask(self) -> None:
        """Ask for the present state, unless it was asked for within the last second."""
        now = monotonic()
        if now - self._last_asked < _SHARED_FOR:
            return
        self._last_asked = now
        if self._asked_at is None:
            self._asked_at = now
        self._has_answered.clear()
        self.wants_status = True
        self.told.set()

    async def answered(self) -> None:
        """Wait for the answer to the newest question."""
        await self._has_answered.wait()

    @property
    def is_silent(self) -> bool:
        """Whether the gateway does not answer, as one that hangs."""
        return self._asked_at is not None and monotonic() - self._asked_at > _SILENT


@dataclass(slots=True)
class _Left:
    """A gateway that has left, with its last state."""

    status: Status
    since: datetime = field(default_factory=lambda: datetime.now(UTC))
    at: float = field(default_factory=monotonic)


class Gateways:
    """The connected gateways, and for a minute those that have left.

    `name_searchers` receives the addresses of all their searchers after each change.
    """

    def __init__(self, name_searchers: Callable[[Iterable[str]], None] = lambda _: None) -> None:
        self._name_searchers = name_searchers
        self._streams: list[GatewayStream] = []
        self._left: list[_Left] = []
        self._searchers: list[str] = []

    def __len__(self) -> int:
        """Return the number of connected gateways."""
        return len(self._streams)

    def add(self, stream: GatewayStream) -> None:
        """Add the stream of a gateway that has connected, and ask for its state."""
        self._streams.append(stream)
        stream.ask()

    def set_status(self, stream: GatewayStream, status: Status) -> None:
        """Take the present state of a gateway. It may be a restarted one."""
        stream.set_status(status)
        self._left = [left for left in self._left if not _is_same(left.status, status)]
        self._note_searchers()

    def remove(self, stream: GatewayStream) -> None:
        """Remove the stream of a gateway that has left."""
        self._streams.remove(stream)
        if stream.status and not any(_is_same(one, stream.status) for one in self._told()):
            self._left = [*self._left, _Left(stream.status)][-_MOST_LEFT:]
        self._note_searchers()

    def _told(self) -> list[Status]:
        return [stream.status for stream in self._streams if stream.status]

    def _note_searchers(self) -> None:
        """Name the searchers, those of connected gateways first."""
        self._left = [left for left in self._left if monotonic() - left.at < _REMEMBERED]
        known = (*self._told(), *(left.status for left in self._left))
        addresses = [searcher.address for status in known for searcher in status.searchers]
        if addresses != self._searchers:
            self._searchers = addresses
            self._name_searchers(addresses)

    def together(self, known: Sequence[Status]) -> tuple[Status | None, ReadinessStatus]:
        """Return the gateways' joint state (None without any) and joint readiness."""
        if known:
            status = together(known)
            return status, status.readiness
        return None, ReadinessStatus(False, NOTHING_TOLD if self._streams else NOBODY)

    async def statuses(self) -> list[Status]:
        """Return the present states, those of connected gateways first."""
        for stream in self._streams:
            stream.ask()
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await asyncio.gather(*(stream.answered() for stream in self._streams))
        self._note_searchers()
        return [
            *(_present(stream.status, stream) for stream in self._streams if stream.status),
            *(_not_ready(left.status, f"has left at {left.since:%H:%M:%S} UTC") for left in self._left),
        ]


def _is_same(left: Status, status: Status) -> bool:
    """Return whether a gateway seems to be a restarted one: it has the port and the snakes of the former."""
    return (left.port, left.snakes) == (status.port, status.snakes)


def _present(status: Status, stream: GatewayStream) -> Status:
    return _not_ready(status, "does not answer") if stream.is_silent else status


def _not_ready(status: Status, what: str) -> Status:
    """Return the last state of a gateway that is lost."""
    gateway = f"the gateway at port {status.port}" if status.port else "a gateway"
    return msgspec.structs.replace(status, readiness=ReadinessStatus(False, f"{gateway} {what}"))


def together(known: Sequence[Status]) -> Status:
    """Return the states of one gateway or more as one state. Its port is that of the first one."""
    first, *others = known
    if not others:
        return first
    return msgspec.structs.replace(
        first,
        readiness=_readiness(known),
        snakes=_each_once(*(status.snakes for status in known)),
        searchers=_searchers(chain.from_iterable(status.searchers for status in known)),
        experiments=_experiments(chain.from_iterable(status.experiments for status in known)),
        moves=_moves([status.moves for status in known]),
        started_at=min(status.started_at for status in known),
        probes=sum(status.probes for status in known),
    )


def _readiness(known: Sequence[Status]) -> ReadinessStatus:
    """Return the readiness of all gateways. Each reason and each note stands once."""
    told = [status.readiness for status in known]
    return ReadinessStatus(
        all(one.is_ready for one in told),
        "; ".join(_each_once(one.reason for one in told if one.reason)),
        _each_once(*(one.warnings for one in told)),
        _each_once(*(one.compiling for one in told)),
    )


def _searchers(told: Iterable[SearcherStatus]) -> list[SearcherStatus]:
    """Return each searcher once, with a trouble if one of the gateways has one."""
    found: dict[str, SearcherStatus] = {}
    for searcher in told:
        former = found.get(searcher.address)
        if former is None or (searcher.trouble and not former.trouble):
            found[searcher.address] = searcher
    return list(found.values())


def _experiments(told: Iterable[ExperimentStatus]) -> list[ExperimentStatus]:
    """Return each experiment once, as the first gateway draws it."""
    found: dict[str, ExperimentStatus] = {}
    for experiment in told:
        found.setdefault(experiment.name, experiment)
    return list(found.values())


def _each_once(*lists: Iterable[_Item]) -> list[_Item]:
    # Structs with lists have no hash.
    return list({msgspec.msgpack.encode(item): item for item in chain(*lists)}.values())


def _moves(moves: Sequence[MovesStatus]) -> MovesStatus:
    """Return the counts of all gateways. The times are those of the slowest one."""
    restarts = [one.searcher_restarts for one in moves if one.searcher_restarts is not None]
    return MovesStatus(
        since=min(one.since for one in moves),
        answered=sum(one.answered for one in moves),
        late=sum(one.late for one in moves),
        best_so_far=sum(one.best_so_far for one in moves),
        reflexes=sum(one.reflexes for one in moves),
        median_ms=max((one.median_ms for one in moves if one.median_ms is not None), default=None),
        p99_ms=max((one.p99_ms for one in moves if one.p99_ms is not None), default=None),
        searcher_restarts=sum(restarts) if restarts else None,
        console_restarts=sum(one.console_restarts for one in moves),
    )
