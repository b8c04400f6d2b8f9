"""Bounds of the port: how many connections and calls it takes, how large, and how long they may be silent."""

import resource
from collections.abc import Sequence

MOST_CALLS = 2_000
"""Calls at once, of all callers. gRPC refuses more with RESOURCE_EXHAUSTED."""

MOST_OPEN_CALLS = 500
"""Of these, calls without a token where others need one: a stranger can't keep callers with a token out."""

MESSAGE_PATIENCE = 10.0
"""Seconds for the message of a call to arrive."""

_MOST_STREAMS = 500
"""Calls at once on one connection. More wait in the caller's own gRPC."""

_MOST_CONNECTIONS = 1_000

_FILE_SHARE = 0.5
"""The share of the files that this process may open that connections may take."""

_LARGEST_REQUEST = 64 * 1024
"""Bytes: three times the largest position. Reading more would take too much of the event loop's time."""

_LARGEST_METADATA = 8 * 1024
"""Bytes of a call's headers."""

_HANDSHAKE_PATIENCE = 10.0
"""Seconds for TLS and HTTP/2's preface, and again for the acknowledgement of our settings."""

_PING_AFTER, _PING_PATIENCE = 15.0, 10.0
"""Seconds without data after which a caller is asked whether it is there, and for its answer."""

_IDLE = 1800.0
"""Seconds without a call after which a connection ends. The next call reconnects, which takes time: a
caller must be able to sit out the pause between two games."""

_AGE_GRACE = 60.0
"""Seconds that calls may continue on a connection of the maximum age: the time of the longest search."""


def channel_options(max_connection_age: float | None) -> Sequence[tuple[str, int]]:
    """Return the channel arguments of a server. The age is in seconds; None: connections don't age."""
    return (
        # Two servers on one port would share its calls unnoticed.
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", _LARGEST_REQUEST),
        ("grpc.max_metadata_size", _LARGEST_METADATA),
        ("grpc.absolute_max_metadata_size", 2 * _LARGEST_METADATA),
        ("grpc.max_allowed_incoming_connections", most_connections()),
        ("grpc.max_concurrent_streams", _MOST_STREAMS),
        ("grpc.server_handshake_timeout_ms", _milliseconds(_HANDSHAKE_PATIENCE)),
        ("grpc.max_connection_idle_ms", _milliseconds(_IDLE)),
        ("grpc.keepalive_time_ms", _milliseconds(_PING_AFTER)),
        ("grpc.keepalive_timeout_ms", _milliseconds(_PING_PATIENCE)),
        ("grpc.http2.ping_timeout_ms", _milliseconds(_PING_PATIENCE)),
        ("grpc.http2.settings_timeout", _milliseconds(_HANDSHAKE_PATIENCE)),
        # Callers may send keepalive pings on idle connections.
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 1_000),
        ("grpc.http2.max_ping_strikes", 0),
        *_age_options(max_connection_age),
    )


def most_connections() -> int:
    """Return how many connections the port takes at once; more are closed as they come."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return _MOST_CONNECTIONS
    return min(_MOST_CONNECTIONS, int(_FILE_SHARE * files))


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
