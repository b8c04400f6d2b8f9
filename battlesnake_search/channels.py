"""Channels to searchers and consoles: credentials of calls, and connections renewed with the certificates."""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2_grpc

from battlesnake_search.common.access import (
    CertificateFiles,
    Certificates,
    WatchedFiles,
    is_token,
    read_token,
)
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sockets import UNIX, escaped
from battlesnake_search.contract import analysis_pb2_grpc, search_pb2_grpc
from battlesnake_search.plan import Metadata

log = get_logger(__name__)

TLS = "grpcs://"
"""The prefix of a target that uses TLS, as in clouds: grpcs://host or grpcs://host:port."""

_LOCAL = re.compile(r"(.*/)?(localhost|127\.|\[::1\]|ipv4:127\.|unix:)")
"""Targets of this machine, reached without a network."""

_CLOSE_GRACE = 1.0
"""Seconds in which calls with a result receive their status too."""

BALANCING = {
    # Answers report how busy a searcher is, so that addresses with room get more of a target's calls. A
    # searcher that is new, or reports nothing, counts as the average of the others. A searcher that refuses
    # calls has some hundred searches for each worker, so with this penalty one refusal in ten halves its
    # weight.
    "weighted_round_robin": {
        "blackoutPeriod": "1s",
        "weightExpirationPeriod": "10s",
        "errorUtilizationPenalty": 1000.0,
    }
}

DIRECT = ("grpc.enable_http_proxy", 0)
"""The option of a channel that uses no proxy. By default gRPC calls even the loopback address through the
proxy of `grpc_proxy`, `https_proxy` or `http_proxy`."""

_OPTIONS = (
    DIRECT,
    # The default backoff of up to two minutes would cost whole games, because a turn is short.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
    # The timeout of one attempt to connect, despite the option's name.
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.dns_min_time_between_resolutions_ms", 1000),
    # Channels share no connections, so that a new channel skips the backoff of a former one.
    ("grpc.use_local_subchannel_pool", 1),
)


def _policy(*policies: Mapping[str, object]) -> tuple[str, str]:
    return "grpc.service_config", json.dumps({"loadBalancingConfig": policies})


_NETWORK_OPTIONS = (
    *_OPTIONS,
    # Spreads calls over all addresses of a dns:/// target, and reconnects without waiting for a call.
    _policy(BALANCING, {"round_robin": {}}),
    # A connection that a router has forgotten is found dead after some moves, and not
    # after the quarter of an hour for which TCP tries again. Pings are sent only during a call. The
    # stream of a gateway to a console is such a call, and it never ends.
    ("grpc.keepalive_time_ms", 1000),
    ("grpc.keepalive_timeout_ms", 2000),
    # The same limit for the pings by which gRPC measures bandwidth, because keepalive pings wait for their
    # answers.
    ("grpc.http2.ping_timeout_ms", 2000),
)

_UNIX_OPTIONS = (
    *_OPTIONS,
    # With a single address, weights would be wasted work. This policy reconnects without a call, too.
    _policy({"round_robin": {}}),
)


@dataclass(frozen=True, slots=True)
class CredentialFiles:
    """The files that hold the credentials; each may be left out."""

    certificates: CertificateFiles = field(default_factory=CertificateFiles)
    token: Path | None = None


class Credentials:
    """The credentials in force: files are read again when they change.

    Calls send `token` if no file holds one. The constructor raises OSError or ValueError for invalid
    credentials.
    """

    def __init__(self, files: CredentialFiles | None = None, token: str = "") -> None:
        files = files or CredentialFiles()
        self._certificates = files.certificates.watched()
        if token and not is_token(token):
            raise ValueError("token: expected printable ASCII without spaces")
        self._token = WatchedFiles(
            [files.token] if files.token else [], lambda: read_token(files.token) if files.token else token
        )

    @property
    def certificates(self) -> Certificates:
        """Our certificate and key for mutual TLS, and the authorities for the target's certificates."""
        return self._certificates.value

    def metadata(self, target: str) -> Metadata:
        """Return the headers that a target asks for. A service on a Unix socket needs no headers."""
        token = self._token.value
        return (("authorization", f"Bearer {token}"),) if token and not target.startswith(UNIX) else ()


class Connection:
    """A channel to the searchers of a target, its stubs, and the calls that are using it."""

    def __init__(self, target: str, certificates: Certificates) -> None:
        self._channel = open_channel(target, certificates)
        # Connect now, before the first move needs the connection.
        self._channel.get_state(try_to_connect=True)
        self.searches = search_pb2_grpc.SearchServiceStub(self._channel)
        self.analyses = analysis_pb2_grpc.AnalysisServiceStub(self._channel)
        self.health = health_pb2_grpc.HealthStub(self._channel)
        self._calls = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep the connection open until the block ends."""
        self._calls += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._calls -= 1
            if not self._calls:
                self._idle.set()

    async def ready(self) -> None:
        """Wait until a searcher is connected."""
        await self._channel.channel_ready()

    async def retire(self) -> None:
        """Close the channel as soon as no call uses it."""
        await self._idle.wait()
        await self._channel.close(_CLOSE_GRACE)

    async def close(self) -> None:
        """Close the channel and end all calls."""
        await self._channel.close()


class Connector:
    """The connection to a target. A new connection replaces it when the certificates have changed.

    Create and use it within one event loop.
    """

    def __init__(self, target: str, credentials: Credentials) -> None:
        self._target = target
        self._credentials = credentials
        self._certificates = credentials.certificates
        self._current = Connection(target, self._certificates)
        self._former: set[Connection] = set()
        self._renewing: asyncio.Task[None] | None = None
        self._retiring: set[asyncio.Task[None]] = set()
        if self.metadata and not target.startswith(TLS) and not _LOCAL.match(target):
            log.warning("the token is sent unencrypted", searcher=target, remedy=f"use TLS: {TLS}host:port")

    def reconnect(self) -> None:
        """Put a new connection in force. It connects immediately, without waiting for a backoff."""
        self._put_in_force(Connection(self._target, self._certificates))

    @property
    def metadata(self) -> Metadata:
        """The headers of each call, with the token in force."""
        return self._credentials.metadata(self._target)

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """Yield the connection in force, and keep it open until the block ends."""
        if self._target.startswith(TLS):
            self._renew_if_changed()
        connection = self._current
        with connection.in_use():
            yield connection

    async def retire(self) -> None:
        """Close all connections as soon as no call uses them."""
        await self._stop_renewing()
        # Former connections end first. A search may hold one between two attempts, and then use the current
        # one.
        await asyncio.gather(*self._retiring)
        await self._current.retire()

    async def close(self) -> None:
        """Close all connections and end all calls."""
        await self._stop_renewing()
        for connection in (*self._former, self._current):
            await connection.close()
        await asyncio.gather(*self._retiring)

    async def _stop_renewing(self) -> None:
        if self._renewing:
            self._renewing.cancel()
            await asyncio.wait([self._renewing])

    def _renew_if_changed(self) -> None:
        certificates = self._credentials.certificates
        if certificates != self._certificates:
            self._certificates = certificates
            if self._renewing:
                self._renewing.cancel()
            self._renewing = asyncio.create_task(self._renew(Connection(self._target, certificates)))

    async def _renew(self, successor: Connection) -> None:
        """Put a connection in force once it is ready. Until then calls use the former one."""
        try:
            await successor.ready()
        except asyncio.CancelledError:
            await successor.close()
            raise
        self._put_in_force(successor)
        log.info("connected with the new certificates", searcher=self._target)

    def _put_in_force(self, successor: Connection) -> None:
        """Use a connection from now on, and close the former one as soon as no call uses it."""
        former, self._current = self._current, successor
        self._former.add(former)
        task = asyncio.create_task(former.retire())
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)
        task.add_done_callback(lambda _: self._former.discard(former))


def open_channel(target: str, certificates: Certificates) -> grpc.aio.Channel:
    """Return a channel to a target, with TLS if the target begins with TLS."""
    if target.startswith(UNIX):
        return grpc.aio.insecure_channel(escaped(target), options=_UNIX_OPTIONS)
    if not target.startswith(TLS):
        return grpc.aio.insecure_channel(target, options=_NETWORK_OPTIONS)
    # Without a port gRPC uses port 443. Without authorities it takes the well-known ones, or the ones in
    # the file that GRPC_DEFAULT_SSL_ROOTS_FILE_PATH names.
    address = f"dns:///{target.removeprefix(TLS).rstrip('/')}"
    credentials = grpc.ssl_channel_credentials(certificates.authorities, certificates.key, certificates.chain)
    return grpc.aio.secure_channel(address, credentials, options=_NETWORK_OPTIONS)
