"""The state of a gateway for the console's page Home: its snakes, searchers, experiments and recent moves."""

from datetime import datetime

import msgspec

from battlesnake_search.common.types import Json


class SnakeStatus(msgspec.Struct, frozen=True):
    """A snake of the routes."""

    path: str
    name: str
    color: str
    head: str
    tail: str
    strategies: list[str]
    """The strategies of its arms, each once; empty for the searcher's default."""
    has_token: bool
    """Whether the snake's address has a token. The console does not show tokens."""


class SearcherStatus(msgspec.Struct, frozen=True):
    """A searcher of the routes. `trouble` is why a search would fail now; empty if it would succeed."""

    address: str
    trouble: str
    version: str
    """Its strategies with their digests, if they are known."""


class ArmStatus(msgspec.Struct, frozen=True):
    """An arm of a draw. `share` is the part of the games that it plays, from 0 to 1."""

    name: str
    strategy: str
    share: float


class ExperimentStatus(msgspec.Struct, frozen=True):
    """A draw with several arms."""

    name: str
    arms: list[ArmStatus]


class MovesStatus(msgspec.Struct, frozen=True):
    """The moves of the last hour. Times are in milliseconds, None without a move."""

    since: datetime
    answered: int
    late: int
    best_so_far: int
    reflexes: int
    median_ms: float | None = None
    p99_ms: float | None = None
    searcher_restarts: int | None = None
    """None if the gateway does not start its searcher."""
    console_restarts: int = 0
    """The restarts of the gateway's own console."""


class ReadinessStatus(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether a gateway is ready, and the reason if it is not."""

    is_ready: bool
    reason: str = ""
    warnings: list[str] = []
    compiling: list[str] = []
    """A sentence for each searcher that compiles code."""

    @property
    def body(self) -> Json:
        """The answer to /readyz with its reasons."""
        told = msgspec.to_builtins(self)
        return {"status": "ready" if told.pop("is_ready") else "not ready", **told}


class Status(msgspec.Struct, frozen=True):
    """The state of a gateway."""

    readiness: ReadinessStatus
    snakes: list[SnakeStatus]
    searchers: list[SearcherStatus]
    experiments: list[ExperimentStatus]
    moves: MovesStatus
    started_at: datetime
    probes: int
    """The checks of a snake with one turn of a game."""
    port: int = 0
    """The port of the Battlesnake API; 0: unknown."""
