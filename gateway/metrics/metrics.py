"""The metrics of a gateway: the object that everybody else counts with."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, ProcessCollector

from battlesnake_search.board import BadBody, Turn
from gateway.game.values import Outcome
from gateway.metrics.games import GameMetrics
from gateway.metrics.moves import MoveMetrics
from gateway.metrics.recording import OutcomeMetrics, RecordMetrics
from gateway.metrics.shadows import ShadowMetrics
from gateway.play.player import Answer
from gateway.play.shadows import Comparison
from gateway.ports import passwords
from gateway.ports.bounds import Ending
from gateway.routes.config import Choice, Variant
from gateway.store.writer import Fate
from telemetry.build_info import BuildInfo
from telemetry.event_loop import EventLoopMetrics
from telemetry.exposition import exposition


class Metrics:
    """The metrics of one gateway, in a registry of their own.

    Each method receives the whole event, so a new metric needs only the file of its kind.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._bad = Counter("gateway_bad_requests", "Requests with an invalid body.", registry=registry)
        self._ended = Counter(
            "gateway_connections_ended_early",
            "Connections that ended before their request was answered.",
            ["reason"],
            registry=registry,
        )
        for ending in Ending:
            self._ended.labels(ending.value)
        self._passwords = Counter(
            "gateway_refused_passwords",
            "Requests to the admin side without a valid token.",
            ["reason"],
            registry=registry,
        )
        for reason in passwords.REASONS:
            self._passwords.labels(reason)
        self._moves = MoveMetrics(registry)
        self._shadows = ShadowMetrics(registry)
        self._outcomes = OutcomeMetrics(registry)
        self._records = RecordMetrics(registry)
        self._games = GameMetrics(registry)
        self._loop = EventLoopMetrics("gateway", registry)
        BuildInfo("gateway", registry)

    def count_bad_request(self, error: BadBody) -> None:
        """Count a request with an invalid body."""
        self._bad.inc()

    def count_ending(self, ending: Ending) -> None:
        """Count a connection that ended early."""
        self._ended.labels(ending.value).inc()

    def count_refused_password(self, reason: str) -> None:
        """Count a request to the admin side without a valid token."""
        self._passwords.labels(reason).inc()

    def count_move(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Count an answered move and its search."""
        self._moves.count(turn, choice, answer)

    def searching(self) -> AbstractContextManager[None]:
        """Return a context whose time counts as that of a wanted search."""
        return self._moves.searching()

    def count_turn(self, turn: Turn) -> None:
        """Count a game as being played."""
        self._games.go_on(turn)

    def count_end(self, turn: Turn, choice: Choice, outcome: Outcome) -> None:
        """Count a game that has ended."""
        self._games.end(turn, choice.snake.path, outcome)

    def count_shadow(self, comparison: Comparison) -> None:
        """Count a shadow's answer, or the lack of one."""
        self._shadows.count(comparison)

    def count_dropped_shadow(self, turn: Turn, choice: Choice, shadow: Variant) -> None:
        """Count a position that was dropped because too many searches of shadows were running."""
        self._shadows.count_dropped(turn, choice, shadow)

    def count_outcomes(self, fate: Fate, outcomes: Sequence[Outcome]) -> None:
        """Count outcomes of games that were written or lost."""
        self._outcomes.count(fate, outcomes)

    def set_waiting_outcomes(self, number: int) -> None:
        """Set the number of outcomes that wait to be written."""
        self._outcomes.waiting.set(number)

    def count_records(self, fate: Fate, number: int) -> None:
        """Count records of games that were written or lost."""
        self._records.count(fate, number)

    def set_waiting_records(self, number: int) -> None:
        """Set the number of records of games that wait to be written."""
        self._records.waiting.set(number)

    @property
    def lost_records(self) -> int:
        """The number of records of games that were lost."""
        return self._records.lost

    def watching(self) -> AbstractAsyncContextManager[None]:
        """Return a context in which the lag of the event loop is watched."""
        return self._loop.watching()

    def text(self, accept: str = "") -> tuple[bytes, str]:
        """Return all metrics in the format that a reader accepts, and its content type."""
        return exposition(self.registry, accept)


METRICS = web.AppKey("metrics", Metrics)
