"""Connections that strangers hold: half of a request and no more, and requests a byte at a time."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic

_HEADS = (
    b"",
    b"POST /move HTTP/1.1\r\nHost: a\r\nContent-Le",
    b"POST /move HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    b"POST /move HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{",
)
"""What half-open connections have sent when they fall silent."""

_SLOW = b"POST /move HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + 1000 * b" "

_PAUSE = 0.5
"""Seconds between two bytes of a slow sender."""

_AT_ONCE = 100
"""Connections that are opened at the same time."""

PATIENCE = 60.0
"""Seconds after which a connection counts as open for ever."""


@dataclass(frozen=True)
class Closed:
    """When connections ended: seconds after they were opened."""

    after: list[float] = field(default_factory=list)


async def hold_half_open(addresses: Iterable[tuple[str, int]], count: int) -> Closed:
    """Open connections to each address in turn, send half a request, and wait until all are closed."""
    targets = list(addresses)
    return await _hold([(targets[i % len(targets)], _HEADS[i % len(_HEADS)], False) for i in range(count)])


async def send_slowly(address: tuple[str, int], count: int) -> Closed:
    """Send requests a byte at a time, and wait until all connections are closed."""
    return await _hold([(address, _SLOW, True)] * count)


async def _hold(connections: list[tuple[tuple[str, int], bytes, bool]]) -> Closed:
    closed = Closed()
    gate = asyncio.Semaphore(_AT_ONCE)
    await asyncio.gather(*(_one(gate, closed, *connection) for connection in connections))
    return closed


async def _one(
    gate: asyncio.Semaphore, closed: Closed, address: tuple[str, int], data: bytes, slowly: bool
) -> None:
    begin = monotonic()
    with suppress(OSError):
        async with gate:
            begin = monotonic()
            reader, writer = await asyncio.open_connection(*address)
        try:
            sending = asyncio.create_task(_send(writer, data, slowly))
            # What the server answers, if anything, does not matter: the connection must end.
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    while await reader.read(65536):
                        pass
            sending.cancel()
        finally:
            writer.close()
    closed.after.append(monotonic() - begin)


async def _send(writer: asyncio.StreamWriter, data: bytes, slowly: bool) -> None:
    with suppress(OSError):
        for index in range(len(data)) if slowly else [None]:
            writer.write(data if index is None else data[index : index + 1])
            await writer.drain()
            await asyncio.sleep(_PAUSE)
