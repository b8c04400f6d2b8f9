"""The port of a searcher: a gRPC server with its address, its certificates, its callers and its bounds."""

from contextlib import ExitStack

import grpc

from battlesnake_search.common.access import TokenFile
from searcher.serving.address import ListenError, check_address
from searcher.serving.guard.bounds import MOST_CALLS, channel_options
from searcher.serving.guard.callers import Callers
from searcher.serving.guard.connections import Connections
from searcher.serving.guard.departures import counted
from searcher.serving.guard.exposure import warn_if_exposed
from searcher.serving.guard.interceptor import Guard
from searcher.serving.guard.refusals import Refusals
from searcher.serving.guard.settings import PortSettings, SettingsError
from searcher.serving.guard.tls import server_credentials
from searcher.serving.metrics.metrics import Metrics


class Port:
    """A gRPC server, to which services can be added before it starts.

    The constructor raises SettingsError if a file of the settings can't be used. It must be called in the
    event loop that runs the server.
    """

    def __init__(self, listen: str, settings: PortSettings) -> None:
        self._listen = listen
        self._settings = settings
        self.metrics = Metrics()
        self._listening = ExitStack()
        connections = Connections(self.metrics.port)
        self._credentials = _credentials(settings, connections)
        callers = Callers(_token_file(settings), settings.without_token)
        self.server = self._new_server(Guard(callers, Refusals(self.metrics.port), connections.record_call))
        self.health_servers = [self.server]
        """The servers that the health belongs to."""
        if settings.health:
            # Probes connect without TLS, and must not hide handshakes that failed.
            self.health_servers.append(self._new_server(Guard(Callers(), Refusals(self.metrics.port))))
        self.health_address = ""
        """Where there is the health alone, once the port has started; empty if nowhere."""

    async def start(self) -> str:
        """Listen, and return the address, with the actual port in place of port 0.

        Raises ListenError if it can't listen at one of the addresses.
        """
        address = _listen(self.server, self._listen, self._credentials)
        if self._settings.health:
            self.health_address = _listen(self.health_servers[-1], self._settings.health)
        for metrics in self._settings.metrics:
            await self.metrics.listen(metrics)
        warn_if_exposed(self._listen, self._settings)
        self._listening.enter_context(counted(self.metrics.port.unsent.inc))
        for server in self.health_servers:
            await server.start()
        return address

    async def stop(self, grace: float) -> None:
        """Refuse new calls, and end those that take longer than `grace` seconds."""
        for server in self.health_servers:
            await server.stop(grace)
        self._listening.close()
        await self.metrics.close()

    def _new_server(self, guard: Guard) -> grpc.aio.Server:
        return grpc.aio.server(
            interceptors=(guard,),
            maximum_concurrent_rpcs=MOST_CALLS,
            options=channel_options(self._settings.max_connection_age),
        )


def _listen(server: grpc.aio.Server, address: str, credentials: grpc.ServerCredentials | None = None) -> str:
    """Add an address to a server, and return it with the actual port in place of port 0."""
    check_address(address)
    try:
        if credentials is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, credentials)
    except RuntimeError as error:
        raise ListenError(f"cannot listen on {address}: {error}") from None
    return address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}"


def _credentials(settings: PortSettings, connections: Connections) -> grpc.ServerCredentials | None:
    if settings.certificates.chain is None:
        return None
    try:
        return server_credentials(settings.certificates, connections.record_handshake)
    except OSError as error:
        raise SettingsError(f"cannot read {error.filename}: {error.strerror}") from None
    except ValueError as error:
        raise SettingsError(str(error)) from None


def _token_file(settings: PortSettings) -> TokenFile | None:
    if settings.tokens is None:
        return None
    try:
        return TokenFile(settings.tokens)
    except OSError as error:
        raise SettingsError(f"cannot read {error.filename}: {error.strerror}") from None
    except ValueError as error:
        raise SettingsError(f"{settings.tokens}: {error}") from None
