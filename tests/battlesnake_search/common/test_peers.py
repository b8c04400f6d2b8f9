"""The callers behind connections, and the connections that are closed."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from battlesnake_search.common import peers
from battlesnake_search.common.peers import (
    OpenConnections,
    address_of,
)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.1:443", "192.0.2.1"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:443", "2001:db8:1:2::/64"),
        ("ipv6:[::ffff:192.0.2.1]:443", "192.0.2.1"),
        ("ipv6:[fe80::1%25eth0]:443", "fe80::/64"),
        ("unix:", ""),
        ("unix:/run/searcher.sock", ""),
    ],
)
def test_an_address_stands_for_a_caller(peer: str, address: str) -> None:
    """It is an IPv4 address or a network of IPv6, and a Unix socket has none."""
    assert address_of(peer) == address


class Listening:
    """A listening socket with connections to it."""

    def __init__(self, stack: ExitStack, family: socket.AddressFamily = socket.AF_INET) -> None:
        self._stack = stack
        host = "127.0.0.1" if family == socket.AF_INET else "::1"
        self._own = stack.enter_context(socket.create_server((host, 0), family=family))
        self.port = self._own.getsockname()[1]
        self.callers: list[socket.socket] = []

    def connect(self) -> str:
        """Connect; return the peer as gRPC names it."""
        caller = self._stack.enter_context(socket.create_connection(self._own.getsockname()[:2]))
        self._stack.enter_context(self._own.accept()[0])
        caller.settimeout(5.0)
        self.callers.append(caller)
        host, port, *_ = caller.getsockname()
        return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"

    def open(self) -> list[int]:
        """Return the numbers of the connections that are open."""
        return [number for number, caller in enumerate(self.callers) if not _is_closed(caller)]


def _is_closed(caller: socket.socket) -> bool:
    caller.setblocking(False)
    try:
        return not caller.recv(1)
    except BlockingIOError:
        return False


@pytest.fixture(params=[socket.AF_INET, socket.AF_INET6])
def listening(request: pytest.FixtureRequest) -> Iterator[Listening]:
    """A listening socket."""
    with ExitStack() as stack:
        yield Listening(stack, request.param)


def test_beyond_the_share_the_idlest_connections_are_closed(listening: Listening) -> None:
    """Connections with a running call stay, and connections with an earlier call rather than silent ones."""
    closed: list[int] = []
    found = OpenConnections(8, closed.append)
    names = [listening.connect() for _ in range(8)]
    with found.calling(names[0], ""):
        with found.calling(names[3], ""):
            pass
        found.look((listening.port,))
    assert len(listening.open()) == 4 and {0, 3} <= set(listening.open())
    assert closed == [4]


def test_a_tokens_connections_stay_beside_those_of_its_address(listening: Listening) -> None:
    """A neighbour at the address of a caller with a token takes nothing from it."""
    found = OpenConnections(8)
    mine = listening.connect()
    for _ in range(7):
        with found.calling(listening.connect(), ""):
            pass
    with found.calling(mine, "ann"):
        pass
    found.look((listening.port,))
    assert 0 in listening.open() and len(listening.open()) == 5


def test_silence_ends_a_connection(listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call before or during the silence keeps it, and a reused port does not inherit the call."""
    monkeypatch.setattr(peers, "SILENCE", 0.0)
    found = OpenConnections(8)
    names = [listening.connect() for _ in range(3)]
    with found.calling(names[1], ""):
        found.look((listening.port,))
        found.look((listening.port,))
    assert listening.open() == [1]


def test_other_ports_are_left_alone(listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the connections of the given ports are closed."""
    listening.connect()
    monkeypatch.setattr(peers, "SILENCE", 0.0)
    found = OpenConnections(8)
    found.look(())
    found.look((1,))
    assert listening.open() == [0]
