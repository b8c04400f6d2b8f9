"""Traces: contexts of requests, samplers, and spans that are sent."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace.sampling import TraceIdRatioBased

from battlesnake_search.common import tracing
from tests.battlesnake_search.common.receiver import ReceivedSpan, collecting
from tests.gateway.gateway_process import serving
from tests.gateway.scripted_searcher import body
from tests.support.event_loop import until
from tests.support.services import free_port

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


def continued(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers that a request with these headers sends on."""
    with tracing.request(headers):
        return tracing.headers()


@pytest.mark.parametrize("header", ["", f"00-{TRACE.upper()}-{SPAN}-01"])
def test_an_invalid_header_begins_a_trace(header: str) -> None:
    """The new trace is not sampled, and differs from every other one."""
    first, second = (continued({"traceparent": header})["traceparent"] for _ in range(2))
    assert re.fullmatch("00-[0-9a-f]{32}-[0-9a-f]{16}-00", first) and TRACE not in first.lower()
    assert first[:35] != second[:35]


CALL = "battlesnake.search.v1.SearchService/StreamSearch"
SERVER, CLIENT, INTERNAL = 2, 3, 1
IN_TIME = 8.0
"""Seconds: far more than a gateway needs to end, and less than the SDK waits for a collector."""


def forced(game: str) -> dict[str, Any]:
    """Return a request with only one move that doesn't kill: even on a busy machine it is found in time."""
    request = body(id=game, timeout=5000)
    corner = [{"x": 0, "y": y} for y in range(3)]
    you = request["you"] | {"body": corner, "head": corner[0], "length": len(corner)}
    return request | {"you": you, "board": request["board"] | {"snakes": [you]}}


async def move(client: Any, game: str, turn: int = 42, **headers: str) -> None:
    """Request a move of a game."""
    async with client.post("/move", json=forced(game) | {"turn": turn}, headers=headers) as answer:
        assert answer.status == 200


def lines(log: Path, event: str) -> list[dict[str, Any]]:
    """Return the lines of a log in JSON about an event."""
    return [line for line in map(json.loads, log.read_text().splitlines()) if line["event"] == event]


def only(spans: Sequence[ReceivedSpan], **fields: object) -> ReceivedSpan:
    """Return the only span with these fields."""
    [span] = [span for span in spans if all(getattr(span, name) == value for name, value in fields.items())]
    return span


async def test_a_move_is_one_trace_through_both_services(tmp_path: Path) -> None:
    """Its spans have the times and the results, and both the log and the metrics have its id.

    The variables are read as the SDK reads them: several exporters are separated by commas, an empty variable
    is none, and letters may be capitals.
    """
    written = {
        "OTEL_TRACES_EXPORTER": " otlp, console",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "",
        "OTEL_TRACES_SAMPLER": "ALWAYS_ON",
    }
    log = tmp_path / "log"
    async with (
        collecting() as (collector, environment),
        serving("", log=str(log), PUBLIC_METRICS="true", **environment | written) as (_, client),
    ):
        await move(client, "traced")
        for name in ("POST /move", "search"):
            await collector.wait_for(name)
        async with client.get("/metrics", headers={"Accept": "application/openmetrics-text"}) as answer:
            metrics = await answer.text()
    spans = collector.spans
    webhook = only(spans, name="POST /move", kind=SERVER, service="battlesnake-gateway", parent_id="")
    assert webhook.attributes["battlesnake.game"] == "traced"
    assert webhook.attributes["battlesnake.source"] == "search"
    routing = only(spans, name="choose the arm", parent_id=webhook.span_id)
    assert routing.attributes["battlesnake.arm"] == "default"
    call = only(spans, name=CALL, kind=CLIENT, parent_id=webhook.span_id)
    assert call.attributes["rpc.response.status_code"] == "OK"
    served = only(spans, name=CALL, kind=SERVER, service="battlesnake-searcher", parent_id=call.span_id)
    only(spans, name="wait for a worker", parent_id=served.span_id)
    search = only(spans, name="search", parent_id=served.span_id)
    assert search.attributes["battlesnake.depth"] == webhook.attributes["battlesnake.depth"]
    assert search.attributes["battlesnake.stop_reason"] in ("deadline", "decided", "only_move")
    assert webhook.start <= call.start <= search.start <= search.end <= webhook.end
    [line] = lines(log, "move")
    assert (line["trace_id"], line["game_id"]) == (webhook.trace_id, "traced")
    assert lines(log, "requests are not traced") == []
    [exemplar] = [
        line for line in metrics.splitlines() if "gateway_move_seconds_bucket" in line and "#" in line
    ]
    assert f'trace_id="{webhook.trace_id}"' in exemplar
    assert f'# {{trace_id="{webhook.trace_id}"}}' in next(
        line for line in metrics.splitlines() if "searcher_search_seconds_bucket" in line and "#" in line
    )


def test_all_moves_of_a_game_are_traced_or_none() -> None:
    """The game decides about the bits of a trace's id that samplers compare."""
    sampler, found = TraceIdRatioBased(0.5), []
    for game in map(str, range(20)):
        traces = set()
        for _ in range(2):
            with tracing.request({}), tracing.playing(game):
                traces.add(tracing.trace_id())
        assert len(traces) == 2
        found.append({sampler.should_sample(None, trace, "move").decision for trace in traces})
    assert {len(decisions) for decisions in found} == {1}
    assert len(set.union(*found)) == 2


async def test_a_collector_that_is_not_there_costs_nothing(tmp_path: Path) -> None:
    """Moves are searched, and the gateway ends in time."""
    endpoint = f"http://127.0.0.1:{free_port()}"
    log = tmp_path / "log"
    async with serving("", log=str(log), OTEL_EXPORTER_OTLP_ENDPOINT=endpoint) as (process, client):
        await move(client, "untraced")
        process.terminate()
        assert await asyncio.wait_for(process.wait(), IN_TIME) == 0
    [line] = lines(log, "move")
    assert line["source"] == "search"


async def test_a_setting_that_makes_no_sense_is_logged(tmp_path: Path) -> None:
    """Both services log it and answer without traces."""
    log = tmp_path / "log"
    async with serving("", log=str(log), OTEL_TRACES_EXPORTER="carrier-pigeon") as (_, client):
        await move(client, "untraced")
        await until(lambda: '"event": "move"' in log.read_text())
    said = lines(log, "requests are not traced")
    reason = "there is no exporter 'carrier-pigeon'; installed: "
    assert len(said) == 2 and all(line["reason"].startswith(reason) for line in said)
    assert len(lines(log, "move")) == 1
