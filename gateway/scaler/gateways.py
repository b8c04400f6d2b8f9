"""The gateways that a scaler reads: their addresses, their metrics over HTTP, and their load."""

import asyncio
import errno
import os
import re
import socket
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from battlesnake_search.common.logs import get_logger

log = get_logger(__name__)

_ADDRESS = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):(?P<port>\d{1,5})", re.ASCII)
_LAST_PORT = 65535

_WINDOW = 5.0
"""Seconds over which the load of a gateway is averaged."""


class Address(NamedTuple):
    """A host, by name or number, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: str) -> Address:
    """Return the address in a text like host:port or [::1]:port. Raises ValueError for other text."""
    found = _ADDRESS.fullmatch(text)
    if not found or not 0 < int(found["port"]) <= _LAST_PORT:
        raise ValueError(f"{text!r} is not an address; valid: host:port, [::1]:port")
    return Address(found["host"].strip("[]"), int(found["port"]))


class Names:
    """Names of gateways. A name may have several addresses: a headless Service has one for each pod."""

    def __init__(self, names: Iterable[Address]) -> None:
        self._addresses: dict[Address, list[Address]] = {name: [] for name in names}
        self._faults: dict[Address, str] = {}

    async def addresses(self) -> set[Address]:
        """Return the addresses of all names. An unresolvable name keeps its last addresses."""
        for name in self._addresses:
            try:
                self._addresses[name] = await _resolved(name)
            except OSError as error:
                self._report(name, str(error.strerror or error))
            else:
                self._faults.pop(name, None)
        return {address for found in self._addresses.values() for address in found}

    @property
    def faults(self) -> list[str]:
        """The unresolvable names, and the reasons."""
        return [f"{name.host}: {reason}" for name, reason in self._faults.items()]

    def _report(self, name: Address, reason: str) -> None:
        if self._faults.get(name) != reason:
            log.warning("the name of gateways can't be resolved", name=name.host, reason=reason)
        self._faults[name] = reason


async def _resolved(name: Address) -> list[Address]:
    """Return the addresses of a name. Raises OSError without an address."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name.host, name.port, type=socket.SOCK_STREAM)
    # In a network with IPv4 and IPv6, each gateway has both addresses and would count twice.
    family = min(each[0] for each in found)
    return [Address(str(each[4][0]), name.port) for each in found if each[0] == family]


DEMAND = "gateway_search_demand_seconds_total"
"""The counter with the seconds for which moves have waited for searches, summed over all searches."""

GAMES = "gateway_games_playing"

NAMES = (DEMAND, GAMES)
"""The metrics that are read."""


class Reading(NamedTuple):
    """The metrics of a gateway at one time.

    `demand` is the time in seconds for which moves have waited for searches since the gateway's start. Two
    concurrent searches count twice.
    """

    demand: float
    games: float


def parse(text: str) -> Reading:
    """Read Prometheus' text format. Raises ValueError for other text, or if a metric is missing."""
    # A parser of all metrics would take thirty times as long.
    lines = (line for line in text.splitlines() if line.startswith(NAMES))
    families = text_string_to_metric_families("\n".join(lines) + "\n")
    samples = [sample for family in families for sample in family.samples]
    if missing := [name for name in NAMES if all(sample.name != name for sample in samples)]:
        raise ValueError(f"has no {' and no '.join(missing)}")
    return Reading(*(sum(each.value for each in samples if each.name == name) for name in NAMES))


_TIMEOUT = aiohttp.ClientTimeout(total=1.0)
"""The most seconds for an answer. A gateway that takes longer is too busy to be relied on."""


class ReadError(Exception):
    """The metrics of a gateway can't be read; the message has the reason."""


class Reader:
    """A client of gateways. `token` returns their token; empty if they require no token."""

    def __init__(self, session: aiohttp.ClientSession, token: Callable[[], str]) -> None:
        self._session = session
        self._token = token

    async def read(self, address: Address) -> Reading:
        """Return the reading of a gateway's metrics. Raises ReadError."""
        token = self._token()
        headers = {"Accept": "text/plain"} | ({"Authorization": f"Bearer {token}"} if token else {})
        try:
            async with self._session.get(
                f"http://{address}/metrics", headers=headers, timeout=_TIMEOUT
            ) as answer:
                text = await answer.text()
        except TimeoutError:
            raise ReadError(f"does not answer within {_TIMEOUT.total:g} s") from None
        except aiohttp.ClientConnectorError as error:
            reason = os.strerror(error.os_error.errno or errno.EHOSTUNREACH).lower()
            raise ReadError(f"can't be reached: {reason}") from error
        except (aiohttp.ClientError, ValueError) as error:
            raise ReadError(str(error)) from error
        if answer.status == 401:
            raise ReadError("refuses the token" if token else "asks for a token")
        if answer.status != 200:
            raise ReadError(f"answers with the status {answer.status}")
        try:
            return parse(text)
        except ValueError as error:
            raise ReadError(str(error)) from error


class Load(NamedTuple):
    """The load of all gateways together."""

    searches: float
    """The average number of concurrent searches for which moves are waiting."""
    games: float

    @property
    def is_playing(self) -> bool:
        """Whether a game runs, or a move of an abandoned game waits."""
        return self.games > 0 or self.searches > 0


class _Gateway:
    """The readings of one gateway; the oldest reading is as old as the window."""

    def __init__(self) -> None:
        self._readings: deque[tuple[float, Reading]] = deque()

    def add(self, at: float, reading: Reading) -> None:
        readings = self._readings
        if readings and reading.demand < readings[-1][1].demand:
            # The counter fell, so the gateway has restarted.
            readings.clear()
        readings.append((at, reading))
        while len(readings) > 2 and readings[1][0] <= at - _WINDOW:
            readings.popleft()

    def load(self, since: float) -> Load | None:
        """Return the load at the last reading; None if the reading is older than `since`."""
        (began, first), (ended, last) = self._readings[0], self._readings[-1]
        if ended < since:
            return None
        if ended == began:
            # One reading has no rate. A running game waits for a search nearly all the time.
            return Load(last.games, last.games)
        return Load((last.demand - first.demand) / (ended - began), last.games)


class Gateways:
    """The gateways by address. Times are in seconds, all by the same clock.

    A silent gateway keeps its last load for `patience` seconds, because its games may be running.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._gateways: dict[Address, _Gateway] = {}

    def keep(self, addresses: Iterable[Address]) -> None:
        """Remove the gateways with other addresses. Games of a removed gateway continue at other gateways."""
        kept = set(addresses)
        self._gateways = {address: each for address, each in self._gateways.items() if address in kept}

    def add(self, address: Address, at: float, reading: Reading) -> None:
        """Add a gateway's next reading."""
        self._gateways.setdefault(address, _Gateway()).add(at, reading)

    def load(self, now: float) -> Load | None:
        """Return the load of all gateways; None if no gateway's load is known."""
        loads = [each.load(now - self._patience) for each in self._gateways.values()]
        known = [load for load in loads if load]
        if not known:
            return None
        return Load(sum(load.searches for load in known), sum(load.games for load in known))


_INTERVAL = 1.0
"""Seconds between two readings, and between two resolutions of the names."""


@dataclass(frozen=True, slots=True)
class Periods:
    """Periods in seconds.

    A silent gateway keeps its last load for `patience`. Searchers run until `cooldown` after the end of the
    last game.
    """

    patience: float = 60.0
    cooldown: float = 60.0


class Watcher:
    """Watches the gateways while `run` is running. Create and use it within one event loop."""

    def __init__(self, names: Iterable[Address], reader: Reader, periods: Periods) -> None:
        self._names = Names(names)
        self._reader = reader
        self._cooldown = periods.cooldown
        self._gateways = Gateways(periods.patience)
        self._addresses: set[Address] = set()
        self._faults: dict[Address, str] = {}
        self._now = asyncio.get_running_loop().time
        self._last_game = -float("inf")
        self._is_active: bool | None = None
        self._is_closed = False
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Read the metrics of all gateways every second, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._keep_resolving())
            tasks.create_task(self._keep_reading())

    def close(self) -> None:
        """End all iterations over `activity`."""
        self._is_closed = True
        self._tell()

    @property
    def load(self) -> Load | None:
        """The load of all gateways; None if no gateway has answered for a while."""
        return self._gateways.load(self._now())

    @property
    def is_active(self) -> bool | None:
        """Whether searchers should run; None if no gateway has answered for a while."""
        return self._is_active

    @property
    def faults(self) -> list[str]:
        """The reasons of failed readings."""
        faults = [f"{address}: {reason}" for address, reason in sorted(self._faults.items())]
        return [*self._names.faults, *faults]

    async def activity(self) -> AsyncIterator[bool]:
        """Yield whether searchers should run: now, and after each change."""
        sent: bool | None = None
        while not self._is_closed:
            news, is_active = self._news, self._is_active
            if is_active is not None and is_active != sent:
                sent = is_active
                yield is_active
            await news.wait()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def _keep_resolving(self) -> None:
        # Names are resolved apart from the readings, because a lost name server may take many seconds to
        # fail.
        while True:
            self._addresses = await self._names.addresses()
            self._gateways.keep(self._addresses)
            self._faults = {each: why for each, why in self._faults.items() if each in self._addresses}
            await asyncio.sleep(_INTERVAL)

    async def _keep_reading(self) -> None:
        while True:
            await asyncio.gather(*(self._read(address) for address in self._addresses))
            self._decide()
            await asyncio.sleep(_INTERVAL if self._addresses else 0.05)

    async def _read(self, address: Address) -> None:
        try:
            reading = await self._reader.read(address)
        except ReadError as error:
            if self._faults.get(address) != str(error):
                log.warning("a gateway can't be read", gateway=str(address), reason=str(error))
            self._faults[address] = str(error)
            return
        if self._faults.pop(address, None):
            log.info("the gateway can be read again", gateway=str(address))
        # The gateway may have lost its address in the meantime.
        if address in self._addresses:
            self._gateways.add(address, self._now(), reading)
            if reading.games and not self._is_active:
                # Decide at once, because the other gateways may take a second to fail.
                self._decide()

    def _decide(self) -> None:
        """Decide whether searchers should run, and notify all iterations of a change."""
        now, load, before = self._now(), self.load, self._is_active
        if load and load.is_playing:
            self._last_game = now
        self._is_active = None if load is None else now - self._last_game < self._cooldown
        if self._is_active == before:
            return
        if load is None:
            log.error("no gateway has answered for a while", faults=self.faults)
        else:
            log.info(
                "searchers are needed" if self._is_active else "searchers are not needed", **_about(load)
            )
        self._tell()


def _about(load: Load) -> dict[str, float]:
    return {"games": load.games, "searches": round(load.searches, 2)}
