"""The gRPC port of a program: a server with its settings, its certificates, its callers and its bounds."""

import asyncio
import resource
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import grpc.aio

from battlesnake_search.common.access import CertificateFiles, Certificates, TokenFile
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.peers import OpenConnections
from battlesnake_search.common.sockets import UNIX, escaped
from battlesnake_search.common.sparse import sparse_libraries
from battlesnake_search.serving.address import ListenError, check_address, is_local
from battlesnake_search.serving.callers import MOST_CALLS, MOST_HEALTH_CALLS, Callers
from battlesnake_search.serving.interceptor import Guard
from battlesnake_search.serving.metrics_port import MetricsPorts, PortMetrics
from battlesnake_search.serving.program import Program


class SettingsError(Exception):
    """A file of certificates or tokens can't be used. The message has the file and the reason."""


@dataclass(frozen=True, slots=True)
class PortSettings:
    """The permitted callers of a port, and its encryption. By default any client may call, unencrypted."""

    certificates: CertificateFiles = field(default_factory=CertificateFiles)
    """With a chain and a key the port uses TLS. With authorities as well, callers must show a certificate."""
    tokens: Path | None = None
    without_token: Collection[str] = ()
    """The services for callers without a token: some of the program's `openable`."""
    max_connection_age: float | None = None
    """Seconds after which callers must reconnect."""
    health: str | None = None
    """A second address, as host:port or unix:PATH, that serves only health checks, for probes without TLS."""
    metrics: Collection[str] = ()
    """The addresses of the metrics for Prometheus, each as host:port or unix:PATH."""

    def __post_init__(self) -> None:
        if self.certificates.authorities and not self.certificates.chain:
            raise ValueError("a client's certificate needs TLS: give a certificate and its key as well")


OPEN_PORT = PortSettings()
"""The settings of a port whose only protection is its bounds."""


def server_credentials(files: CertificateFiles, on_handshake: Callable[[], None]) -> grpc.ServerCredentials:
    """Return the credentials of a server. Raises OSError, or ValueError with the invalid file.

    With authorities, clients must show a certificate by one of the authorities. For each TLS handshake that a
    client begins, a thread of gRPC calls `on_handshake`.
    """
    watched = files.watched()
    served = watched.value

    def newer() -> grpc.ServerCertificateConfiguration | None:
        """Return the certificates if they have changed. Connections in use go on with the former ones."""
        nonlocal served
        on_handshake()
        found = watched.value
        if found is served:
            return None
        served = found
        return _configuration(found)

    needs_certificate = files.authorities is not None
    # gRPC documents None for unchanged certificates, but its annotation lacks it.
    return grpc.dynamic_ssl_server_credentials(_configuration(served), newer, needs_certificate)  # type: ignore[arg-type]


def _configuration(found: Certificates) -> grpc.ServerCertificateConfiguration:
    assert found.key and found.chain
    return grpc.ssl_server_certificate_configuration([(found.key, found.chain)], found.authorities)


_MOST_OF_GRPC = MOST_CALLS + 2 * MOST_HEALTH_CALLS
"""The calls that gRPC passes on. The guard refuses calls sooner, because gRPC gives no reason."""

_MOST_PENDING = 4_000
"""The most calls that wait for the guard to see them."""

MOST_STREAMS = 500
"""The most simultaneous calls on one connection. More calls wait in the caller's own gRPC."""

MOST_CONNECTIONS = 1_000

MOST_HEALTH_CONNECTIONS = 64
"""The most connections of the address that serves only health checks."""

_KEPT_SHARE = 0.75
"""The share of the connections that stay open. The others are for connections between two looks."""

_FILE_SHARE = 0.5
"""The share of the files this process may open that connections may use."""

LARGEST_METADATA = 8 * 1024
"""Bytes of a call's headers."""

HANDSHAKE_PATIENCE = 10.0
"""Seconds for TLS and HTTP/2's preface, and again for the acknowledgement of our settings."""

_PING_AFTER, _PING_PATIENCE = 15.0, 10.0
"""Seconds without data after which a caller is pinged, and seconds for its answer."""

IDLE = 1800.0
"""Seconds without a call after which a connection ends. This is longer than the pause between two games,
because the next call would have to reconnect."""

_AGE_GRACE = 60.0
"""Seconds that calls on a connection of the maximum age have to end: the time of the longest search."""


def channel_options(
    largest_message: int, max_connection_age: float | None, connections: int | None = None
) -> Sequence[tuple[str, int]]:
    """Return the channel arguments of a server. The age is in seconds, or None without a limit.

    `largest_message` is in bytes. `connections` is the limit of connections, by default `most_connections`.
    """
    return (
        # Two servers on one port would share its calls unnoticed.
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", largest_message),
        ("grpc.max_metadata_size", LARGEST_METADATA),
        # Between two different limits, gRPC would refuse calls at random.
        ("grpc.absolute_max_metadata_size", LARGEST_METADATA),
        # Below these, gRPC would refuse calls of a burst at random, and without a reason.
        ("grpc.server.max_pending_requests", _MOST_PENDING),
        ("grpc.server.max_pending_requests_hard_limit", _MOST_PENDING),
        ("grpc.max_allowed_incoming_connections", connections or most_connections()),
        ("grpc.max_concurrent_streams", MOST_STREAMS),
        ("grpc.server_handshake_timeout_ms", _milliseconds(HANDSHAKE_PATIENCE)),
        ("grpc.max_connection_idle_ms", _milliseconds(IDLE)),
        ("grpc.keepalive_time_ms", _milliseconds(_PING_AFTER)),
        ("grpc.keepalive_timeout_ms", _milliseconds(_PING_PATIENCE)),
        ("grpc.http2.ping_timeout_ms", _milliseconds(_PING_PATIENCE)),
        ("grpc.http2.settings_timeout", _milliseconds(HANDSHAKE_PATIENCE)),
        # Callers may send keepalive pings on idle connections.
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 1_000),
        ("grpc.http2.max_ping_strikes", 0),
        *_age_options(max_connection_age),
    )


def most_connections() -> int:
    """Return the limit of simultaneous connections. The port closes further connections as they arrive."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, int(_FILE_SHARE * files))


def _age_options(seconds: float | None) -> Sequence[tuple[str, int]]:
    """Return channel arguments that end connections at this age, plus or minus a tenth."""
    if seconds is None:
        return ()
    return (
        ("grpc.max_connection_age_ms", _milliseconds(seconds)),
        ("grpc.max_connection_age_grace_ms", _milliseconds(_AGE_GRACE)),
    )


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


_MOST_PEERS = 2_000
"""The most connections to remember: twice the number that a port takes."""

_log = get_logger(__name__)


def _counting(count: Callable[[], None]) -> Callable[[str], None]:
    """Return a function that receives the peer of each call, and counts each connection once."""
    peers: dict[str, None] = {}

    def record(peer: str) -> None:
        if peer not in peers:
            peers[peer] = None
            if len(peers) > _MOST_PEERS:
                del peers[next(iter(peers))]
            count()

    return record


def warn_if_exposed(listen: str, settings: PortSettings, program: Program) -> None:
    """Log one warning if other machines reach the port and TLS or tokens are missing."""
    if is_local(listen):
        return
    missing = []
    if settings.certificates.chain is None:
        missing.append("nothing is encrypted: set --tls-cert and --tls-key")
    if settings.tokens is None and settings.certificates.authorities is None:
        missing.append(f"every client may {program.purpose}: set --tokens or --tls-client-ca")
    if missing:
        _log.warning(f"{listen} is open to other machines, and {', and '.join(missing)}")


class Port:
    """A gRPC server. Services can be added before it starts.

    `metrics` are the port's own ones. `metrics_ports` serve all metrics of the program at the addresses of
    the settings. They end with the port.

    The constructor raises SettingsError if a file of the settings can't be used. It must be called in the
    event loop that runs the server.
    """

    def __init__(
        self,
        listen: str,
        settings: PortSettings,
        program: Program,
        metrics: PortMetrics,
        metrics_ports: MetricsPorts,
    ) -> None:
        self._listen = listen
        self._settings = settings
        self._program = program
        self._metrics = metrics
        self._metrics_ports = metrics_ports
        self._listening = ExitStack()
        self._credentials = _credentials(settings, metrics)
        callers = Callers(program, _token_file(settings), settings.without_token)
        record_call = _counting(metrics.connections.inc)
        self._open, self.server = self._new_server(callers, most_connections(), record_call)
        self.health_servers = [self.server]
        """The servers that the health belongs to."""
        if settings.health:
            # Probes connect without TLS, and must not hide failed handshakes.
            self._open_health, server = self._new_server(Callers(program), MOST_HEALTH_CONNECTIONS)
            self.health_servers.append(server)
        self._watching: list[asyncio.Task[None]] = []
        self._is_bound = False
        self._address = ""
        """The address as soon as it is bound."""
        self.health_address = ""
        """The address that serves only health checks, once it is bound, or empty."""

    async def bind(self) -> None:
        """Take all addresses before the start. Calls wait for the start.

        A Unix socket is only checked, because a gateway calls its own console as soon as the socket is there.
        Raises ListenError if the port can't listen at one of the addresses.
        """
        if self._listen.startswith(UNIX):
            check_address(self._listen)
        else:
            self._address = _listen(self.server, self._listen, self._credentials)
        if self._settings.health:
            self.health_address = _listen(self.health_servers[-1], self._settings.health)
        for metrics in self._settings.metrics:
            await self._metrics_ports.listen(metrics)
        self._is_bound = True

    async def start(self) -> str:
        """Listen, and return the address, with the actual port in place of port 0.

        Raises ListenError if the port can't listen at one of the addresses.
        """
        if not self._is_bound:
            await self.bind()
        address = self._address or _listen(self.server, self._listen, self._credentials)
        self._watch(address, self._open)
        if self._settings.health:
            self._watch(self.health_address, self._open_health)
        warn_if_exposed(self._listen, self._settings, self._program)
        self._listening.enter_context(sparse_libraries(self._metrics.unsent.inc))
        for server in self.health_servers:
            await server.start()
        return address

    async def stop(self, grace: float) -> None:
        """Refuse new calls, and end calls that take longer than `grace` seconds."""
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*(server.stop(grace) for server in self.health_servers))
        self._listening.close()
        await self._metrics_ports.close()

    def _watch(self, address: str, connections: OpenConnections) -> None:
        """Close the connections of an address beyond their bounds. Those of a Unix socket have none."""
        if not address.startswith("unix:"):
            port = int(address.rpartition(":")[2])
            self._watching.append(asyncio.create_task(connections.watch((port,))))

    def _new_server(
        self, callers: Callers, connections: int, on_call: Callable[[str], None] | None = None
    ) -> tuple[OpenConnections, grpc.aio.Server]:
        watched = OpenConnections(int(_KEPT_SHARE * connections), self._metrics.closed.inc)
        guard = Guard(self._program, callers, self._metrics, on_call, watched)
        server = grpc.aio.server(
            interceptors=(guard,),
            maximum_concurrent_rpcs=_MOST_OF_GRPC,
            options=channel_options(
                self._program.largest_message, self._settings.max_connection_age, connections
            ),
        )
        return watched, server


def _listen(server: grpc.aio.Server, address: str, credentials: grpc.ServerCredentials | None = None) -> str:
    """Add an address to a server, and return it with the actual port in place of port 0."""
    check_address(address)
    try:
        if credentials is None:
            port = server.add_insecure_port(escaped(address))
        else:
            port = server.add_secure_port(escaped(address), credentials)
    except RuntimeError as error:
        raise ListenError(f"cannot listen on {address}: {error}") from None
    return address if address.startswith(UNIX) else f"{address.rpartition(':')[0]}:{port}"


def _credentials(settings: PortSettings, metrics: PortMetrics) -> grpc.ServerCredentials | None:
    if settings.certificates.chain is None:
        return None
    with _naming(None):
        return server_credentials(settings.certificates, metrics.handshakes.inc)


def _token_file(settings: PortSettings) -> TokenFile | None:
    if settings.tokens is None:
        return None
    with _naming(settings.tokens):
        return TokenFile(settings.tokens)


@contextmanager
def _naming(file: Path | None) -> Iterator[None]:
    """Turn errors into SettingsErrors, and name the file if their text does not."""
    try:
        yield
    except OSError as error:
        raise SettingsError(f"cannot read {error.filename}: {error.strerror}") from None
    except ValueError as error:
        raise SettingsError(f"{file}: {error}" if file else str(error)) from None
