"""The metrics of the embedded searcher beside the gateway's own."""

from pathlib import Path

from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics
from prometheus_client.parser import text_string_to_metric_families as plain

from gateway.searchers.embedded_metrics import read_metrics
from searcher.serving.metrics import Metrics
from tests.gateway.gateway_process import serving


async def test_a_searcher_that_does_not_answer_has_no_metrics(tmp_path: Path) -> None:
    """The gateway's own are shown all the same."""
    socket = tmp_path / "metrics.sock"
    assert await read_metrics(socket, "") == b""
    metrics = Metrics()
    await metrics.listen(f"unix:{socket}")
    assert b"searcher_serving 0.0" in await read_metrics(socket, "")
    await metrics.close()


async def test_a_gateway_shows_those_of_its_searcher() -> None:
    """Each metric once, in both formats."""
    async with serving("", PUBLIC_METRICS="true") as (_, client):
        for accept, parse in (("text/plain", plain), ("application/openmetrics-text", open_metrics)):
            async with client.get("/metrics", headers={"Accept": accept}) as answer:
                names = [family.name for family in parse(await answer.text())]
            assert len(names) == len(set(names))
            assert {"gateway_moves", "searcher_serving", "searcher_demand_seconds"} <= set(names)
