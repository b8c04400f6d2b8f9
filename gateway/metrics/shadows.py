"""Answers of shadows."""

from prometheus_client import CollectorRegistry, Counter, Histogram

from battlesnake_search.board import Turn
from gateway.metrics.moves import DEPTHS
from gateway.play.shadows import Comparison
from gateway.routes.config import Choice, Variant


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

    def count_dropped(self, turn: Turn, choice: Choice, shadow: Variant) -> None:
        """Count a position that a shadow did not search."""
        self._dropped.labels(choice.snake.path, shadow.name).inc()
