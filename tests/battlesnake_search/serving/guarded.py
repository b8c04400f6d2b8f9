"""A guarded searcher with fake strategies, its certificates and tokens, and calls to it."""

from collections.abc import AsyncIterable, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import grpc
import trustme
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from battlesnake_search.common.access import CertificateFiles, digest_of, new_token
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract import search_pb2_grpc
from battlesnake_search.serving.port import OPEN_PORT, Port, PortSettings
from searcher.serving.metrics import Metrics
from searcher.serving.program import SEARCHER
from searcher.serving.server import Server
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)

PATIENCE = 20.0
"""Seconds for whatever should take a moment."""

OK = grpc.StatusCode.OK


class Reply(NamedTuple):
    """The results of a call."""

    code: grpc.StatusCode
    details: str = ""
    retry_after: float | None = None


def port_of(metrics: Metrics, listen: str = "127.0.0.1:0", settings: PortSettings = OPEN_PORT) -> Port:
    """Return a port of a searcher without its services."""
    return Port(listen, settings, SEARCHER, metrics.port, metrics.ports)


@asynccontextmanager
async def serving(
    settings: PortSettings = OPEN_PORT, strategies: FakeStrategies | None = None
) -> AsyncIterator[tuple[Server, str]]:
    """Run a warm searcher; yield it and its address."""
    server = Server("127.0.0.1:0", 2, strategies or FakeStrategies(0.001), settings)
    address = await server.start()
    await server.warm()
    try:
        yield server, address
    finally:
        await server.stop(0.0)


@asynccontextmanager
async def calling(
    settings: PortSettings = OPEN_PORT, strategies: FakeStrategies | None = None
) -> AsyncIterator[tuple[Server, grpc.aio.Channel]]:
    """Run a warm searcher; yield it and a channel to it, without TLS."""
    async with (
        serving(settings, strategies) as (server, address),
        grpc.aio.insecure_channel(address) as channel,
    ):
        yield server, channel


class Authority:
    """An authority and the files of a server with its certificate."""

    def __init__(self, folder: Path) -> None:
        self.own = trustme.CA()
        self.chain, self.key, self.roots = folder / "cert.pem", folder / "key.pem", folder / "ca.pem"
        self.own.cert_pem.write_to_path(self.roots)
        self.renew()

    @property
    def pem(self) -> bytes:
        """The authority's own certificate."""
        return self.roots.read_bytes()

    def renew(self, not_after: datetime | None = None) -> None:
        """Replace the server's certificate and its key."""
        issued = self.own.issue_cert("localhost", not_after=not_after)
        self.key.write_bytes(issued.private_key_pem.bytes())
        self.chain.write_bytes(b"".join(pem.bytes() for pem in issued.cert_chain_pems))

    def files(self, *, mutual: bool = False) -> CertificateFiles:
        """Return the server's files; with `mutual` clients must show a certificate of this authority."""
        return CertificateFiles(self.chain, self.key, self.roots if mutual else None)

    def client(self, not_after: datetime | None = None) -> tuple[bytes, bytes]:
        """Return a client's key and certificate."""
        issued = self.own.issue_cert("client@example.org", not_after=not_after)
        return issued.private_key_pem.bytes(), issued.cert_chain_pems[0].bytes()


@dataclass
class Tokens:
    """A token file, and the tokens of its entries by name."""

    path: Path

    def __post_init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._entries: dict[str, Sequence[str]] = {}

    def put(self, name: str, *lines: str) -> str:
        """Add an entry, or change it, with these lines below its digest; return its token."""
        if name not in self.texts:
            self.texts[name], _ = new_token(name)
        digest = digest_of(self.texts[name])
        self._entries[name] = ["[[tokens]]", f'name = "{name}"', f'digest = "{digest}"', *lines]
        self.path.write_text("\n".join(line for entry in self._entries.values() for line in entry))
        return self.texts[name]


def secure(address: str, roots: bytes, pair: tuple[bytes, bytes] | None = None) -> grpc.aio.Channel:
    """Return a channel with TLS to a port of this machine, with a certificate of its own or none."""
    credentials = grpc.ssl_channel_credentials(roots, *(pair or ()))
    # A channel of its own connects anew: gRPC shares connections between equal channels.
    options = (("grpc.use_local_subchannel_pool", 1),)
    return grpc.aio.secure_channel(f"localhost:{address.rpartition(':')[2]}", credentials, options=options)


def bearing(token: str) -> Sequence[tuple[str, str]]:
    """Return the metadata with a token."""
    return (("authorization", f"Bearer {token}"),)


async def search(
    channel: grpc.aio.Channel, token: str = "", request: pb.SearchRequest | None = None
) -> Reply:
    """Make a small search; return its status."""
    metadata = bearing(token) if token else ()
    call = search_pb2_grpc.SearchServiceStub(channel).Search(
        request or search_request(depth=1), metadata=metadata, timeout=PATIENCE
    )
    return await reply_of(call)


async def health(channel: grpc.aio.Channel) -> Reply:
    """Ask for the health; return the status of the call."""
    stub = health_pb2_grpc.HealthStub(channel)
    return await reply_of(stub.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE))


async def reply_of(call: grpc.aio.UnaryUnaryCall[Message, Message]) -> Reply:
    """Await a call."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return Reply(error.code(), error.details() or "", _retry_after(rpc_status.from_call(error)))
    return Reply(OK)


def raw_call(channel: grpc.aio.Channel, method: str) -> "grpc.aio.StreamStreamMultiCallable[bytes, bytes]":
    """Return a function that calls a method with bytes, whatever kind of method it is."""
    return channel.stream_stream(f"/{method}")


def call_with_message(
    channel: grpc.aio.Channel, method: str
) -> "grpc.aio.UnaryStreamMultiCallable[bytes, bytes]":
    """Return a function that calls a method with one message of bytes, whatever kind of method it is.

    With an iterator of messages, a client of grpc.aio may lose the status of a call that is refused at once.
    """
    return channel.unary_stream(f"/{method}")


async def code_of(responses: AsyncIterable[object]) -> grpc.StatusCode:
    """Read a stream of responses to its end."""
    try:
        async for _ in responses:
            pass
    except grpc.aio.AioRpcError as error:
        return error.code()
    return OK


def _retry_after(status: status_pb2.Status | None) -> float | None:
    info = error_details_pb2.RetryInfo()
    for detail in status.details if status else ():
        if detail.Unpack(info):
            return info.retry_delay.ToMicroseconds() / 1e6
    return None
