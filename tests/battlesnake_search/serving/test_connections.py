"""TLS handshakes that no call follows."""

import asyncio
from pathlib import Path

import grpc
import pytest
from prometheus_client import CollectorRegistry

from battlesnake_search.common.logs import EventDict
from battlesnake_search.serving import port
from battlesnake_search.serving.metrics import PortMetrics
from battlesnake_search.serving.port import Connections, PortSettings
from tests.battlesnake_search.serving.guarded import OK, PATIENCE, Authority, search, secure, serving
from tests.support.logs import capture_logs

Events = list[EventDict]


@pytest.fixture
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that waits for the call after a handshake for no more than a moment."""
    monkeypatch.setattr(port, "_PATIENCE", 0.3)


def reported(events: Events) -> list[int]:
    """Return the counts of the lines about handshakes."""
    return [event["count"] for event in events if event["event"] == "TLS handshakes without a call"]


@pytest.mark.rest("play against the clock")
@pytest.mark.usefixtures("_hasty")
async def test_refused_certificates_have_a_line_in_the_log(tmp_path: Path) -> None:
    """A caller without a certificate is reported, and one with a good certificate is not."""
    authority = Authority(tmp_path)
    settings = PortSettings(authority.files(mutual=True))
    with capture_logs() as events:
        async with (
            serving(settings) as (_, address),
            secure(address, authority.pem, authority.client()) as channel,
            secure(address, authority.pem) as refused,
        ):
            assert (await search(channel)).code == OK
            await asyncio.sleep(1.0)
            assert not reported(events)
            assert (await search(refused)).code == grpc.StatusCode.UNAVAILABLE
            async with asyncio.timeout(PATIENCE):
                while not reported(events):
                    await asyncio.sleep(0.05)


@pytest.mark.usefixtures("_hasty")
async def test_many_handshakes_are_few_lines() -> None:
    """They are counted together, each once."""
    with capture_logs() as events:
        found = Connections(PortMetrics("searcher", CollectorRegistry()))
        for number in range(100):
            found.record_handshake()
            if number % 4 == 0:
                found.record_call(f"ipv4:192.0.2.1:{number}")
                found.record_call(f"ipv4:192.0.2.1:{number}")
            await asyncio.sleep(0.01)
        async with asyncio.timeout(PATIENCE):
            while sum(reported(events)) < 75:
                await asyncio.sleep(0.05)
    assert sum(reported(events)) == 75
    assert len(reported(events)) < 20


@pytest.mark.usefixtures("_hasty")
async def test_a_single_handshake_is_reported_once() -> None:
    """One is enough for a line, and has no second one."""
    with capture_logs() as events:
        Connections(PortMetrics("searcher", CollectorRegistry())).record_handshake()
        async with asyncio.timeout(PATIENCE):
            while not reported(events):
                await asyncio.sleep(0.05)
        await asyncio.sleep(1.0)
    assert reported(events) == [1]
