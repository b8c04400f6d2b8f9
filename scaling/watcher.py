"""Watches the gateways: reads their metrics again and again, and knows whether anybody plays."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

from commandline.structlog_alone import structlog
from scaling.addresses import Address, Names
from scaling.gateways import Gateways, Load
from scaling.reader import Reader, ReadError

log = structlog.get_logger(__name__)

_INTERVAL = 1.0
"""Seconds between two readings, and between two resolutions of the names."""


@dataclass(frozen=True, slots=True)
class Periods:
    """Periods in seconds.

    The load is an average over `window`. A gateway that does not answer counts as it last did for `patience`.
    Somebody plays until `cooldown` after the end of the last game.
    """

    window: float = 5.0
    patience: float = 60.0
    cooldown: float = 60.0


class Watcher:
    """Watches the gateways while `run` runs. Create and use it within one event loop."""

    def __init__(self, names: Iterable[Address], reader: Reader, periods: Periods) -> None:
        self._names = Names(names)
        self._reader = reader
        self._cooldown = periods.cooldown
        self._gateways = Gateways(periods.window, periods.patience)
        self._addresses: set[Address] = set()
        self._faults: dict[Address, str] = {}
        self._now = asyncio.get_running_loop().time
        self._last_game = -float("inf")
        self._is_active: bool | None = None
        self._is_closed = False
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Read the metrics of all gateways every second, until this is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._keep_resolving())
            tasks.create_task(self._keep_reading())

    def close(self) -> None:
        """End all iterations over `activity`."""
        self._is_closed = True
        self._tell()

    @property
    def load(self) -> Load | None:
        """What all gateways need; None if no gateway has answered for a while."""
        return self._gateways.load(self._now())

    @property
    def is_active(self) -> bool | None:
        """Whether searchers should run; None if no gateway has answered for a while."""
        return self._is_active

    @property
    def faults(self) -> list[str]:
        """Why gateways can't be read."""
        faults = [f"{address}: {reason}" for address, reason in sorted(self._faults.items())]
        return [*self._names.faults, *faults]

    async def activity(self) -> AsyncIterator[bool]:
        """Iterate over whether searchers should run: now, and whenever that changes."""
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
        # Apart from reading: a name server that is lost may take many seconds to fail.
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
        # It may have lost its address in the meantime.
        if address in self._addresses:
            self._gateways.add(address, self._now(), reading)
            if reading.games and not self._is_active:
                # The other gateways may take a second to fail.
                self._decide()

    def _decide(self) -> None:
        """Find out whether searchers should run, and tell all iterations of a change."""
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
