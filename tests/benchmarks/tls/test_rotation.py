"""Certificates and tokens that are replaced while calls go on."""

import asyncio
from pathlib import Path

import grpc
import pytest

from battlesnake_search.common import access as watching
from benchmarks.tls.rotation import Rotation
from searcher.serving.guard.port import PortSettings
from tests.searcher.serving.guard.guarded import serving
from tests.support.certificates import Files

CALLS = 500


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "INTERVAL", 0.05)


@pytest.mark.rest("play against the clock")
async def test_no_call_is_lost_while_everything_is_replaced(tmp_path: Path) -> None:
    """The gateway's client gets results while both certificates, their authority and the token change."""
    files = Files(tmp_path)
    async with serving(PortSettings(files.certificates("server"), files.tokens)) as (_, address):
        rotation = Rotation(int(address.rpartition(":")[2]), files)
        calls = await rotation.run(CALLS, at_once=4, rounds=1)
    assert calls.made >= CALLS
    assert (calls.lost, dict(calls.errors)) == (0, {})
    assert [len(seconds) for seconds in rotation.taken_up.values()] == [1, 1, 1, 1]


async def test_a_token_removed_too_early_is_noticed(tmp_path: Path) -> None:
    """Calls with a token that the searcher does not accept any more are counted as lost."""
    files = Files(tmp_path)
    _, other = files.new_token()
    async with serving(PortSettings(files.certificates("server"), files.tokens)) as (_, address):
        rotation = Rotation(int(address.rpartition(":")[2]), files)
        files.accept(other)
        await asyncio.sleep(2 * watching.INTERVAL)
        calls = await rotation.run(20, at_once=2, rounds=0)
    assert calls.lost == calls.made
    assert set(calls.errors) == {grpc.StatusCode.UNAUTHENTICATED.name}
