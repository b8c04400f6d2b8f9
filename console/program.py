"""The console as its port knows it: its name, its open services, and the bounds of its messages."""

from battlesnake_search.serving.program import MessageBounds, Program

DEFAULT_PORT = 50061

_MESSAGE_PATIENCE = 10.0
"""Seconds for the message of a call to arrive."""

_LARGEST_MESSAGE = 64 * 1024
LARGEST_REQUEST = 2 * 1024 * 1024
"""Bytes of a message, and of a request with events: an event more than the 1 MB that gateways join."""

_MOST_BYTES = 8 * 1024 * 1024
"""The bytes of the messages of all running calls, except of streams."""

_RECORD = "battlesnake.record.v1.RecordService/Record"

CONSOLE = Program(
    "console",
    "record",
    MessageBounds(_LARGEST_MESSAGE, _MOST_BYTES, _MESSAGE_PATIENCE),
    # A gateway is silent between two games.
    {_RECORD: MessageBounds(LARGEST_REQUEST, _MOST_BYTES, None, are_calls=False)},
    {"reflection": "grpc.reflection."},
)
