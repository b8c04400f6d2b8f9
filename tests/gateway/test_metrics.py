"""The metrics of moves, over real sockets."""

from tests.gateway import scripted_searcher
from tests.gateway.clients import move_by
from tests.gateway.scripted_searcher import body


async def test_a_completed_search_is_counted() -> None:
    """The metrics count the source, depth, nodes and overhead of a searched move."""
    _, _, metrics = await move_by(scripted_searcher.at_once, body())
    assert 'gateway_moves_total{source="search"} 1.0' in metrics
    assert "gateway_search_depth_sum 2.0" in metrics and "gateway_search_nodes_total 20.0" in metrics
    assert "gateway_overhead_seconds_count 1.0" in metrics


async def test_a_reported_timeout_is_counted() -> None:
    """An answer that the engine reports as late is counted a turn later."""
    sent = body()
    for snake in sent["board"]["snakes"]:
        snake["latency"] = "501"
    _, _, metrics = await move_by(scripted_searcher.at_once, sent)
    assert "gateway_late_moves_total 1.0" in metrics


async def test_every_fate_has_its_counter_from_the_start() -> None:
    """A rate over a counter that appears only with its first event misses that event."""
    _, _, metrics = await move_by(scripted_searcher.at_once, body())
    for fate in ("written", "lost"):
        assert f'gateway_outcomes_total{{fate="{fate}"}} 0.0' in metrics
    for reason in ("too_many_connections", "slow_request"):
        assert f'gateway_connections_ended_early_total{{reason="{reason}"}} 0.0' in metrics


async def test_tasks_are_counted() -> None:
    """The gateway's own, and at least that of the request for the metrics."""
    _, _, metrics = await move_by(scripted_searcher.at_once, body())
    [line] = [line for line in metrics.splitlines() if line.startswith("gateway_tasks ")]
    assert 1 <= float(line.split()[1]) < 100
