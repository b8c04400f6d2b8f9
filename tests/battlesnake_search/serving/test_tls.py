"""TLS of the port, as clients see it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from battlesnake_search.serving.port import PortSettings
from searcher.serving.server import Server
from tests.battlesnake_search.serving.guarded import (
    LONG_AGO,
    OK,
    PATIENCE,
    Authority,
    Tokens,
    search,
    secure,
    serving,
)
from tests.searcher.fakes import FakeStrategies
from tests.support.certificates import shown_at

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """The authority of the server's certificate, and of its clients'."""
    return Authority(tmp_path)


def counted(server: Server, name: str, **labels: str) -> float:
    """Return the value of one of the server's counters."""
    return server.metrics.registry.get_sample_value(name, labels) or 0.0


async def test_a_client_that_trusts_the_authority_is_served(logs: None, authority: Authority) -> None:
    """With a certificate the port speaks TLS, and nothing else."""
    async with serving(PortSettings(authority.files())) as (server, address):
        async with secure(address, authority.pem) as channel:
            assert await search(channel) == (OK, "", None)
        async with grpc.aio.insecure_channel(address) as channel:
            assert (await search(channel)).code == UNAVAILABLE
        assert counted(server, "searcher_tls_handshakes_total") >= 2


@pytest.mark.parametrize("shown", ["none", "of another authority", "expired"])
async def test_a_client_needs_a_valid_certificate(
    logs: None, authority: Authority, tmp_path_factory: pytest.TempPathFactory, shown: str
) -> None:
    """The connection ends with the handshake, and callers with a valid certificate are served."""
    pairs = {
        "none": None,
        "of another authority": Authority(tmp_path_factory.mktemp("other")).client(),
        "expired": authority.client(LONG_AGO),
    }
    strategies = FakeStrategies(0.001)
    settings = PortSettings(authority.files(mutual=True))
    async with serving(settings, strategies) as (server, address):
        async with secure(address, authority.pem, authority.client()) as channel:
            assert (await search(channel)).code == OK
            async with secure(address, authority.pem, pairs[shown]) as refused:
                assert (await search(refused)).code == UNAVAILABLE
            assert (await search(channel)).code == OK
        async with secure(address, authority.pem, authority.client()) as channel:
            assert (await search(channel)).code == OK
        assert len(strategies.record.runs) == 3
        assert counted(server, "searcher_connections_total") == 2
        assert counted(server, "searcher_tls_handshakes_total") >= 3


def certificate_at(address: str) -> bytes:
    """Return the certificate that a new connection is shown."""
    return shown_at(int(address.rpartition(":")[2]))


async def certificates(address: str, unlike: bytes) -> AsyncIterator[bytes]:
    """Yield the certificate that new connections are shown until it is another one."""
    async with asyncio.timeout(PATIENCE):
        while (shown := await asyncio.to_thread(certificate_at, address)) == unlike:
            yield shown
            await asyncio.sleep(0.05)


async def test_files_replaced_during_calls_lose_none(
    logs: None, authority: Authority, tmp_path: Path
) -> None:
    """Certificates and tokens change while 400 calls are made on old and new connections: all succeed."""
    tokens = Tokens(tmp_path / "tokens.toml")
    in_use = [tokens.put("former")]
    codes: list[grpc.StatusCode] = []

    async def call(address: str) -> None:
        while len(codes) < 400 or not replaced.is_set():
            async with secure(address, authority.pem) as channel:
                for _ in range(25):
                    codes.append((await search(channel, in_use[-1])).code)

    replaced = asyncio.Event()
    async with serving(PortSettings(authority.files(), tokens=tokens.path)) as (_, address):
        calls = [asyncio.create_task(call(address)) for _ in range(4)]
        before = await asyncio.to_thread(certificate_at, address)
        authority.renew()
        new = tokens.put("new")
        async for _ in certificates(address, before):
            pass
        async with asyncio.timeout(PATIENCE), secure(address, authority.pem) as channel:
            while (await search(channel, new)).code != OK:
                await asyncio.sleep(0.05)
            in_use.append(new)
            tokens.put("former", "revoked = true")
            while (await search(channel, in_use[0])).code == OK:
                await asyncio.sleep(0.05)
        replaced.set()
        await asyncio.gather(*calls)
    assert len(codes) >= 400
    assert set(codes) == {OK}
