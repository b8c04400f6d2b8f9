"""The settings of a console, and the bounds of its port for gateways."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from battlesnake_search.ports.admin_address import AdminAddress
from battlesnake_search.serving.program import MessageBounds, Program
from console.store.database import NO_DATABASE, OutcomesDatabase
from console.store.records import DEFAULT_BOUNDS, DEFAULT_OUTCOMES_BYTES, Bounds

if TYPE_CHECKING:
    from battlesnake_search.common.access import TokenFile

DEFAULT_SERVERS = ("arena.battlesnake.com",)
"""The servers from which the console reads games by default."""

ANY_BOARD = "*"
"""The boards of every origin."""

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
"""The console as its port knows it: its name, its open services, and the bounds of its messages."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one console."""

    outcomes: OutcomesDatabase = NO_DATABASE
    """The database for outcomes and games."""
    outcomes_bytes: int = DEFAULT_OUTCOMES_BYTES
    """The largest size of the outcomes in the database."""
    games: Bounds | None = DEFAULT_BOUNDS
    """The bounds of the recorded games; None: games are not recorded."""
    reviews: bool = True
    """Whether each lost game is reviewed by itself."""
    admin: AdminAddress | None = None
    """The address of the admin port; None: no admin port."""
    admin_tokens: "TokenFile | None" = None
    """The tokens for the admin port; None: not needed."""
    public_pages: AdminAddress | None = None
    """The address of the public port; None: no public port."""
    boards: tuple[str, ...] = ()
    """The origins of the boards that may read games in the official engine's form; empty: nobody may."""
    replay_servers: tuple[str, ...] = DEFAULT_SERVERS
    """The servers from which the console reads games, as HOST or HOST:PORT."""
    folder: Path | None = None
    """The private folder of the gateway whose own console this is; None: the console of no gateway.

    It has what outlives a process of the console: the temporary database and the port of the pages."""
    metrics_from: tuple[Path, ...] = ()
    """The Unix sockets of the services whose metrics are shown beside the console's own."""
