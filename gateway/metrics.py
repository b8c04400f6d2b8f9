"""Every Prometheus metric of a gateway, counted from the events of its games and of its ports."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from battlesnake_search.common import tracing
from battlesnake_search.common.metrics import BuildInfo, EventLoopMetrics, exposition
from battlesnake_search.ports.metrics import PortMetrics
from battlesnake_search.reader import KINDS
from battlesnake_search.record.events import Source
from gateway.game.events import Answered, Ended, Event, Mended, Probed
from gateway.play.shadows import Comparison
from gateway.routes.config import Variant
from gateway.routes.draw import Choice

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.8, 1, 2, 5)
"""The histogram buckets of answer times, in seconds."""

_OVERHEAD = (
    *(0.0005, 0.001, 0.0015, 0.00175, 0.002, 0.00225, 0.0025),
    *(0.003, 0.004, 0.005, 0.0075, 0.01, 0.02, 0.05, 0.1),
)
DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 25, 30, 50, 100)
"""The bounds of depths, in turns."""

_ARM = ["snake", "arm"]

_BETWEEN_MOVES = 0.01
"""The least wanted searches during a game. Between two moves no search is wanted, but searchers are."""


class MoveMetrics:
    """The metrics of answered moves."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._by_source = Counter("gateway_moves", "Answered moves.", ["source"], registry=registry)
        self._by_arm = Counter("gateway_arm_moves", "Answered moves by arm.", _ARM, registry=registry)
        self._seconds = Histogram(
            "gateway_move_seconds",
            "Time from a move request's arrival to its answer.",
            buckets=SECONDS,
            registry=registry,
        )
        self._overhead = Histogram(
            "gateway_overhead_seconds",
            "Time that the gateway took in addition to a completed search.",
            buckets=_OVERHEAD,
            registry=registry,
        )
        self._depth = Histogram(
            "gateway_search_depth", "Turns searched for a move.", _ARM, buckets=DEPTHS, registry=registry
        )
        self._nodes = Counter("gateway_search_nodes", "Nodes searched for moves.", _ARM, registry=registry)
        self._failures = Counter(
            "gateway_searcher_failures",
            "Calls that a searcher refused or aborted, by gRPC status code.",
            ["code"],
            registry=registry,
        )
        self._late = Counter(
            "gateway_late_moves", "Answers that were too late to be played.", _ARM, registry=registry
        )
        self.waiting = 0
        """The number of moves that wait for a search."""
        # Create each series at once, so that it is 0 and not missing before its first event.
        for source in Source:
            self._by_source.labels(source.value)

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Count a move that waits for a search, until the block ends."""
        self.waiting += 1
        try:
            yield
        finally:
            self.waiting -= 1

    def count(self, event: Answered) -> None:
        """Count an answered move and its search."""
        choice, answer = event.arm, event.played
        self._by_source.labels(answer.source.value).inc()
        arm = choice.snake.path, choice.arm.name
        self._by_arm.labels(*arm).inc()
        late = self._late.labels(*arm)
        exemplar = tracing.exemplar()
        self._seconds.observe(answer.elapsed, exemplar)
        if answer.overhead is not None:
            self._overhead.observe(answer.overhead, exemplar)
        if answer.result is not None:
            self._depth.labels(*arm).observe(answer.result.depth, exemplar)
            self._nodes.labels(*arm).inc(answer.result.nodes)
        for failure in answer.failures:
            self._failures.labels(failure.code.name).inc()
        if answer.late_before:
            late.inc()


class ShadowMetrics:
    """The metrics of shadows."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._moves = Counter(
            "gateway_shadow_moves",
            "Answers of shadows, by whether they agree with the played move.",
            ["snake", "arm", "shadow", "agreement"],
            registry=registry,
        )
        self._depth = Histogram(
            "gateway_shadow_depth",
            "Turns searched by shadows.",
            ["snake", "shadow"],
            buckets=DEPTHS,
            registry=registry,
        )
        self._dropped = Counter(
            "gateway_shadow_drops",
            "Positions that a shadow did not search, because too many searches were running.",
            ["snake", "shadow"],
            registry=registry,
        )

    def count(self, comparison: Comparison) -> None:
        """Count a shadow's answer, or the lack of one."""
        snake, shadow = comparison.choice.snake.path, comparison.shadow.name
        self._moves.labels(snake, comparison.choice.arm.name, shadow, comparison.agreement).inc()
        if comparison.shadowed is not None:
            self._depth.labels(snake, shadow).observe(comparison.shadowed.depth)

    def count_dropped(self, choice: Choice, shadow: Variant) -> None:
        """Count a position that a shadow dropped because too many searches were running."""
        self._dropped.labels(choice.snake.path, shadow.name).inc()


class GameMetrics:
    """The metrics of games, counted for each of our snakes, and of the bodies of requests."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._playing = Gauge("gateway_games_playing", "Games in progress.", registry=registry)
        self._wanted = Gauge(
            "gateway_searches_wanted",
            "Moves that wait for a search; at least 0.01 during a game.",
            registry=registry,
        )
        self._ended = Counter(
            "gateway_games",
            "Games that ended, by their result.",
            ["snake", "arm", "result"],
            registry=registry,
        )
        self._probes = Counter(
            "gateway_probes", "Checks of a snake with one turn of a game.", ["snake"], registry=registry
        )
        self._mended = Counter(
            "gateway_mended_bodies",
            "Bodies of requests that needed a mend, by its kind.",
            ["kind"],
            registry=registry,
        )
        for kind in KINDS:
            self._mended.labels(kind)
        self.probes = 0
        """The number of checks so far."""

    def watch(self, playing: Callable[[], int], waiting: Callable[[], int]) -> None:
        """Read the numbers of games in progress and of moves that wait for a search, from now on."""
        self._playing.set_function(playing)
        self._wanted.set_function(lambda: max(waiting(), _BETWEEN_MOVES if playing() else 0))

    def count(self, event: Ended | Probed | Mended) -> None:
        """Count the end of a game, a check of a snake, or the mends of a body."""
        match event:
            case Ended():
                result = event.outcome.result or "unknown"
                self._ended.labels(event.arm.snake.path, event.outcome.arm, result).inc()
            case Probed():
                self._probes.labels(event.arm.snake.path).inc()
                self.probes += 1
            case Mended():
                for kind in event.kinds:
                    self._mended.labels(kind).inc()


class OutboxMetrics(Collector):
    """The metrics of the events that wait for the console. They are 0 without an outbox."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.read: Callable[[], tuple[int, int, int]] = lambda: (0, 0, 0)
        """Returns the events that wait, their bytes, and the events that were lost."""
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yield the present numbers."""
        waiting, size, dropped = self.read()
        yield GaugeMetricFamily(
            "gateway_outbox_events", "Events of games that wait for the console.", waiting
        )
        yield GaugeMetricFamily("gateway_outbox_bytes", "Bytes of these events.", size)
        yield CounterMetricFamily(
            "gateway_outbox_dropped", "Events of games that the console never gets.", dropped
        )


class Metrics:
    """The metrics of one gateway, in a separate registry.

    It subscribes to the events of games by `take`.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.bad_requests = Counter(
            "gateway_bad_requests", "Requests with an invalid body.", registry=registry
        )
        self.port = PortMetrics("gateway", registry)
        self.restarts = {
            service: Counter(
                f"gateway_{service}_restarts",
                f"Ends of the gateway's own {service}, after each of which it is started again.",
                registry=registry,
            )
            for service in ("searcher", "console")
        }
        """The restarts of the gateway's child processes by their names."""
        self.moves = MoveMetrics(registry)
        self.shadows = ShadowMetrics(registry)
        self.games = GameMetrics(registry)
        self.outbox = OutboxMetrics(registry)
        self.event_loop = EventLoopMetrics("gateway", registry)
        BuildInfo("gateway", registry)

    def take(self, event: Event) -> None:
        """Count an event of a game."""
        match event:
            case Answered():
                self.moves.count(event)
            case Ended() | Probed() | Mended():
                self.games.count(event)

    def text(self, accept: str = "") -> tuple[bytes, str]:
        """Return all metrics in a format of the header Accept, and the format's content type."""
        return exposition(self.registry, accept)


METRICS = web.AppKey("metrics", Metrics)
