"""The connections of a gRPC port: how many each caller may hold, and for how long without a call.

gRPC bounds the connections of all callers together, and not the connections of one caller. So this module
lists the sockets of this process, and shuts down the connections beyond a bound.
"""

import asyncio
import ipaddress
import os
import socket
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

SHARE = 0.5
"""The share of a bound that one caller may take: a token, an IPv4 address or a network of IPv6."""

_NETWORK = 64
"""The bits of an IPv6 address that name a network. One caller may own all addresses of a network."""


class Peer(NamedTuple):
    """The other side of a connection over IP."""

    host: str
    port: int


def peer_of(text: str) -> Peer | None:
    """Return the peer that gRPC names, such as ipv4:192.0.2.1:80, or None without an IP address."""
    kind, _, rest = unquote(text).partition(":")
    host, _, port = rest.rpartition(":")
    if kind not in ("ipv4", "ipv6") or not port.isdecimal():
        return None
    return Peer(_plain(host.strip("[]")), int(port))


def address_of(text: str) -> str:
    """Return the caller behind a peer that gRPC names: its IPv4 address, or the network of its IPv6 address.

    Empty for a peer without an address. Such a peer is a program of this machine on a Unix socket.
    """
    peer = peer_of(text)
    return network_of(peer.host) if peer else ""


def network_of(host: str) -> str:
    """Return an IPv4 address, also one in IPv6's form, or the network of another IPv6 address.

    Without an address, on a Unix socket, the name is empty.
    """
    host = _plain(host) if host else ""
    if ":" not in host:
        return host
    return str(ipaddress.ip_network((host.partition("%")[0], _NETWORK), strict=False))


def _plain(host: str) -> str:
    """Return an IP address as it is written most often, an IPv4 address in IPv6's form as IPv4."""
    address, separator, zone = host.partition("%")
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return f"{found}{separator}{zone}"


@dataclass(slots=True)
class _Connection:
    """An open connection. Times are in `time.monotonic()` seconds."""

    opened: float
    used: float
    """The latest begin or end of a call, or the time when the connection was first seen."""
    caller: str = ""
    """The name in the token of the latest call, empty without a token."""
    calls: int = 0
    """The number of running calls."""
    has_called: bool = False

    @property
    def rank(self) -> tuple[bool, bool, bool, float]:
        """The order of closing: first the connections that serve nobody, and the longest idle of them."""
        return bool(self.calls), bool(self.caller), self.has_called, self.used


SILENCE = 20.0
"""Seconds after which a connection without any call is closed."""

_INTERVAL = 0.25
"""Seconds between two looks. A look takes 0.1 ms with few files, and 3 ms with a thousand."""


class _File(NamedTuple):
    """An open file. Its number may later be another file's, and its inode may not."""

    number: int
    inode: int

    def peer(self, ports: Collection[int]) -> Peer | None:
        """Return the peer of a connection to one of these local ports, or None for another file."""
        with suppress(OSError, ValueError):
            found = socket.socket(fileno=self.number)
            try:
                if found.family in (socket.AF_INET, socket.AF_INET6) and found.getsockname()[1] in ports:
                    host, port, *_ = found.getpeername()
                    return Peer(_plain(host), port)
            finally:
                found.detach()
        return None


class OpenConnections:
    """The open connections of a port over IP, at most `most`. Use it in the event loop.

    One caller may hold the share SHARE of the connections.
    Beyond a bound, it first closes connections without a running call. Of these, those without a token close
    first, then those that never had a call, and of equal ones the longest idle.
    """

    def __init__(self, most: int, on_close: Callable[[int], object] = lambda _count: None) -> None:
        """`on_close` receives the number of connections that a look has closed."""
        self._most = most
        self._on_close = on_close
        self._open: dict[Peer, _Connection] = {}
        self._files: dict[_File, Peer | None] = {}
        """The open files at the last look, each with the peer of its connection."""

    @contextmanager
    def calling(self, peer: str, caller: str) -> Iterator[None]:
        """Record a permitted call. `caller` is the name in its token, or empty."""
        if (key := peer_of(peer)) is None:
            yield
            return
        now = time.monotonic()
        connection = self._open.setdefault(key, _Connection(now, now))
        connection.has_called, connection.caller, connection.used = True, caller, now
        connection.calls += 1
        try:
            yield
        finally:
            connection.calls -= 1
            connection.used = time.monotonic()

    async def watch(self, ports: Collection[int]) -> None:
        """Close the connections of these local ports that are beyond a bound, until cancelled."""
        while True:
            self.look(ports)
            await asyncio.sleep(_INTERVAL)

    def look(self, ports: Collection[int]) -> None:
        """Look through the open connections once, and close those that are beyond a bound."""
        now = time.monotonic()
        self._files = {
            file: self._files[file] if file in self._files else file.peer(ports) for file in _files()
        }
        files = {peer: file for file, peer in self._files.items() if peer}
        # A connection that has just called, and is closed meanwhile, has no file.
        self._open = {peer: self._open.get(peer) or _Connection(now, now) for peer in files}
        closed = [peer for peer in self._beyond(now) if _shut_down(files[peer].number, peer)]
        for peer in closed:
            del self._open[peer]
        if closed:
            self._on_close(len(closed))

    def _beyond(self, now: float) -> Iterator[Peer]:
        """Yield the connections to close."""
        left: list[Peer] = []
        by_caller: Counter[str] = Counter()
        # The connections to keep come first.
        for peer, each in sorted(self._open.items(), key=lambda item: item[1].rank, reverse=True):
            caller = each.caller or network_of(peer.host)
            is_silent = not each.has_called and now - each.opened > SILENCE
            if is_silent or by_caller[caller] >= SHARE * self._most or len(left) >= self._most:
                yield peer
            else:
                by_caller[caller] += 1
                left.append(peer)


def _files() -> Iterator[_File]:
    """Yield the open files of this process."""
    for name in os.listdir("/dev/fd"):
        with suppress(OSError):
            yield _File(int(name), os.fstat(int(name)).st_ino)


def _shut_down(file: int, peer: Peer) -> bool:
    """Shut down a connection, so that gRPC closes it. Return False if it is closed already."""
    # The file may belong to another connection by now, and a duplicate stays the same.
    with suppress(OSError), socket.socket(fileno=os.dup(file)) as same:
        host, port, *_ = same.getpeername()
        if Peer(_plain(host), port) == peer:
            same.shutdown(socket.SHUT_RDWR)
            return True
    return False
