"""A DNS server on loopback that resolves one name."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from dnslib import QTYPE, RR, A, DNSRecord

NAME = "searchers.test"


class NameServer(asyncio.DatagramProtocol):
    """A server that answers with `addresses`, which are IPv4 and may change at any time."""

    def __init__(self) -> None:
        self.addresses: tuple[str, ...] = ()
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport that answers are sent through."""
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answer a query; queries of other types than A get an empty answer."""
        question = DNSRecord.parse(data)
        reply = question.reply()
        if question.q.qtype == QTYPE.A and str(question.q.qname).rstrip(".") == NAME:
            for address in self.addresses:
                reply.add_answer(RR(question.q.qname, QTYPE.A, rdata=A(address), ttl=0))
        assert self._transport is not None
        self._transport.sendto(reply.pack(), addr)


@asynccontextmanager
async def name_server() -> AsyncIterator[tuple[NameServer, str]]:
    """Yield a DNS server and the gRPC target of its name, to which a port must be appended."""
    loop = asyncio.get_running_loop()
    transport, server = await loop.create_datagram_endpoint(NameServer, ("127.0.0.1", 0))
    try:
        port = transport.get_extra_info("sockname")[1]
        yield server, f"dns://127.0.0.1:{port}/{NAME}"
    finally:
        transport.close()
