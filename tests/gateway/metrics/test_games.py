"""Games in progress and games that ended."""

from gateway.metrics.games import GameMetrics
from prometheus_client import CollectorRegistry

from tests.gateway.store.game_samples import turn_at
from tests.gateway.store.outcome_samples import outcome_with
from tests.support.clock import Clock


def test_a_game_is_played_until_it_ends_or_falls_silent() -> None:
    """Some engines send no /end."""
    clock, registry = Clock(), CollectorRegistry()
    games = GameMetrics(registry, clock)
    assert registry.get_sample_value("gateway_games_playing") == 0
    games.go_on(turn_at(1))
    games.go_on(turn_at(2))
    assert registry.get_sample_value("gateway_games_playing") == 1
    clock.seconds += 31
    assert registry.get_sample_value("gateway_games_playing") == 0


def test_an_ended_game_counts_by_its_result() -> None:
    """By snake and arm, so that arms can be compared; it is played no more."""
    registry = CollectorRegistry()
    games = GameMetrics(registry)
    for result in ("win", "win", "loss", None):
        games.go_on(turn_at(1))
        games.end(turn_at(9), "/", outcome_with(arm="next", result=result))
    assert registry.get_sample_value("gateway_games_playing") == 0
    counted = {result: _ended(registry, result) for result in ("win", "loss", "draw", "unknown")}
    assert counted == {"win": 2, "loss": 1, "draw": None, "unknown": 1}


def _ended(registry: CollectorRegistry, result: str) -> float | None:
    labels = {"snake": "/", "arm": "next", "result": result}
    return registry.get_sample_value("gateway_games_total", labels)
