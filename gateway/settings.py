"""The settings of a gateway, made by the options of its commands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from battlesnake_search.ports.admin_address import DEFAULT_PUBLIC_PORT
from battlesnake_search.ports.bounds import DEFAULT_PORT_BOUNDS, PortBounds
from gateway.play.budget import LONGEST_TIMEOUT
from gateway.routes.looks import Looks

if TYPE_CHECKING:
    from battlesnake_search.channels import Credentials
    from battlesnake_search.common.access import TokenFile


NO_CONSOLE = "none"
"""The target of a gateway whose games are not recorded."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one gateway."""

    searcher: str = ""
    """The gRPC target for routes without a searcher; empty: an embedded searcher."""
    strategy: str = ""
    """The strategy of the snake at / unless the routes have a snake there; empty: the searcher's default."""
    looks: Looks = field(default_factory=Looks)
    """The appearance and the token of that snake."""
    host: str = "0.0.0.0"
    port: int = DEFAULT_PUBLIC_PORT
    bounds: PortBounds = DEFAULT_PORT_BOUNDS
    routes: Path | None = None
    """The file of the routes."""
    console: str = ""
    """The gRPC target of the console; empty: a console of its own; none: games are not recorded."""
    console_credentials: "Credentials | None" = None
    """The credentials in calls to a console that is not its own."""
    console_wait: float = 0.0
    """The most seconds that the answer to an /end waits until the console has stored the game."""
    console_variables: Mapping[str, str] = field(default_factory=dict)
    """The settings of the gateway's own console, as environment variables."""
    admin_tokens: "TokenFile | None" = None
    """The tokens for the public port's /metrics, and for the console; None: not needed."""
    public_metrics: bool = False
    """Whether the public port has /metrics too."""
    watch: bool = False
    """Whether an embedded searcher plays each new version of the evaluators' files."""
    credentials: "Credentials | None" = None
    """The credentials in calls to remote searchers."""
    max_timeout: int = int(LONGEST_TIMEOUT)
    """The longest timeout in milliseconds. Longer timeouts of games are shortened to it."""
