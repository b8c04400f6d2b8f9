"""The settings of a gateway, made by the options of its commands."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from battlesnake_search.ports.admin_address import DEFAULT_PUBLIC_PORT, AdminAddress
from battlesnake_search.ports.bounds import DEFAULT_PORT_BOUNDS, PortBounds
from console.settings import DEFAULT_SERVERS
from console.settings import Settings as ConsoleSettings
from console.store.database import NO_DATABASE, OutcomesDatabase
from console.store.records import DEFAULT_BOUNDS, DEFAULT_OUTCOMES_BYTES, Bounds
from gateway.play.budget import LONGEST_TIMEOUT
from gateway.routes.looks import Looks

if TYPE_CHECKING:
    from battlesnake_search.channels import Credentials
    from battlesnake_search.common.access import TokenFile


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one gateway."""

    searcher: str = ""
    """The gRPC target for routes without a searcher; empty: an embedded searcher."""
    strategy: str = ""
    """The strategy of the snake at / unless the routes have a snake there; empty: the searcher's default."""
    looks: Looks = field(default_factory=Looks)
    """The appearance of that snake."""
    host: str = "0.0.0.0"
    port: int = DEFAULT_PUBLIC_PORT
    bounds: PortBounds = DEFAULT_PORT_BOUNDS
    routes: Path | None = None
    """The file of the routes."""
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
    """The tokens for the admin port and the public port's /metrics and /experiments; None: not needed."""
    public_metrics: bool = False
    """Whether the public port has /metrics and /experiments too."""
    watch: bool = False
    """Whether an embedded searcher plays each new version of the evaluators' files."""
    credentials: "Credentials | None" = None
    """The credentials in calls to remote searchers."""
    max_timeout: int = int(LONGEST_TIMEOUT)
    """The longest timeout in milliseconds. Longer timeouts of games are shortened to it."""
    replay_servers: tuple[str, ...] = DEFAULT_SERVERS
    """The servers from which the console reads games, as HOST or HOST:PORT."""

    @property
    def console(self) -> ConsoleSettings:
        """The settings of the console."""
        return ConsoleSettings(
            outcomes=self.outcomes,
            outcomes_bytes=self.outcomes_bytes,
            games=self.games,
            reviews=self.reviews,
            admin=self.admin,
            admin_tokens=self.admin_tokens,
            replay_servers=self.replay_servers,
        )
