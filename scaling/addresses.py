"""The addresses of gateways, and the names that stand for several of them."""

import asyncio
import re
import socket
from collections.abc import Iterable
from typing import NamedTuple

from commandline.structlog_alone import structlog

log = structlog.get_logger(__name__)

_ADDRESS = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):(?P<port>\d{1,5})", re.ASCII)
_LAST_PORT = 65535


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
    """Names of gateways. The headless Service of a cluster has an address for each pod."""

    def __init__(self, names: Iterable[Address]) -> None:
        self._addresses: dict[Address, list[Address]] = {name: [] for name in names}
        self._faults: dict[Address, str] = {}

    async def addresses(self) -> set[Address]:
        """Return the addresses of all names. One that can't be resolved keeps those that it last had."""
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
        """The names that can't be resolved, and why."""
        return [f"{name.host}: {reason}" for name, reason in self._faults.items()]

    def _report(self, name: Address, reason: str) -> None:
        if self._faults.get(name) != reason:
            log.warning("the name of gateways can't be resolved", name=name.host, reason=reason)
        self._faults[name] = reason


async def _resolved(name: Address) -> list[Address]:
    """Return the addresses of a name. Raises OSError if it has none."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name.host, name.port, type=socket.SOCK_STREAM)
    # In a network with both, each gateway has one of each kind, and would count twice.
    family = min(each[0] for each in found)
    return [Address(str(each[4][0]), name.port) for each in found if each[0] == family]
