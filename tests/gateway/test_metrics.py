"""The metrics of moves, over real sockets."""

import asyncio

import grpc

from battlesnake_search.reader import KINDS
from gateway.game.events import Ended, Mended, Probed
from gateway.metrics import Metrics
from tests.console.store.game_samples import turn_at
from tests.console.store.outcome_samples import choice, outcome_with
from tests.gateway import scripted_searcher
from tests.gateway.clients import metrics_with, move_by, playing, post_move, read_metrics
from tests.gateway.scripted_searcher import body

CHOICE = choice(arm="main", strategy="paranoid/area")


async def test_a_completed_search_is_counted() -> None:
    """The metrics count the source, depth, nodes and overhead of a searched move."""
    _, _, metrics = await move_by(scripted_searcher.at_once, body())
    assert 'gateway_moves_total{source="search"} 1.0' in metrics
    assert 'gateway_search_depth_sum{arm="default",snake="/"} 2.0' in metrics
    assert 'gateway_search_nodes_total{arm="default",snake="/"} 20.0' in metrics
    assert "gateway_overhead_seconds_count 1.0" in metrics


async def test_every_fate_has_its_counter_from_the_start() -> None:
    """A rate over a counter that appears only with its first event misses that event."""
    _, _, metrics = await move_by(scripted_searcher.at_once, body())
    assert "gateway_outbox_dropped_total 0.0" in metrics
    for source in ("reflex", "best-so-far"):
        assert f'gateway_moves_total{{source="{source}"}} 0.0' in metrics
    for reason in ("missing", "wrong", "too_many"):
        assert f'gateway_refused_passwords_total{{reason="{reason}"}} 0.0' in metrics
    for reason in ("too_many_connections", "slow_request"):
        assert f'gateway_connections_ended_early_total{{reason="{reason}"}} 0.0' in metrics


async def test_events_that_wait_for_the_console_are_counted() -> None:
    """With their bytes, and those that were lost."""
    metrics = Metrics()
    metrics.outbox.read = lambda: (3, 4000, 2)
    text = metrics.text()[0].decode()
    for line in (
        "gateway_outbox_events 3.0",
        "gateway_outbox_bytes 4000.0",
        "gateway_outbox_dropped_total 2.0",
    ):
        assert f"\n{line}\n" in text


async def test_a_move_wants_a_search_even_without_a_searcher() -> None:
    """An autoscaler has to start one, and to keep one between two moves of a game."""
    async with playing(scripted_searcher.refusing(grpc.StatusCode.UNAVAILABLE, 1000)) as client:
        assert "gateway_searches_wanted 0.0" in await read_metrics(client)
        move = asyncio.create_task(post_move(client, body()))
        await metrics_with(client, "gateway_searches_wanted 1.0")
        await move
        await metrics_with(client, "gateway_searches_wanted 0.01")


def test_an_ended_game_counts_by_its_result() -> None:
    """By snake and arm, so that arms can be compared."""
    metrics = Metrics()
    for result in ("win", "win", "loss", None):
        metrics.take(Ended(turn_at(9), CHOICE, outcome_with(arm="next", result=result)))
    counted = {result: _ended(metrics, result) for result in ("win", "loss", "draw", "unknown")}
    assert counted == {"win": 2, "loss": 1, "draw": None, "unknown": 1}


def _ended(metrics: Metrics, result: str) -> float | None:
    labels = {"snake": "/", "arm": "next", "result": result}
    return metrics.registry.get_sample_value("gateway_games_total", labels)


def test_a_check_of_a_snake_is_no_game() -> None:
    """It has a separate counter."""
    metrics = Metrics()
    assert metrics.games.probes == 0
    metrics.take(Probed("g", turn_at(0), CHOICE))
    counted = metrics.registry.get_sample_value("gateway_probes_total", {"snake": "/"})
    assert metrics.games.probes == counted == 1


def test_mended_bodies_count_by_kind() -> None:
    """Each kind has its counter from the start."""
    metrics = Metrics()
    for _ in range(2):
        metrics.take(Mended(turn_at(1), frozenset({"null"}), frozenset()))
    counted = {
        kind: metrics.registry.get_sample_value("gateway_mended_bodies_total", {"kind": kind})
        for kind in KINDS
    }
    assert counted == dict.fromkeys(KINDS, 0) | {"null": 2}
