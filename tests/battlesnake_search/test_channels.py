"""Connections to searchers, which are replaced while calls go on."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import trustme
from structlog.testing import capture_logs

from battlesnake_search.channels import CredentialFiles, Credentials
from battlesnake_search.common import access as watching
from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient, SearchReply
from benchmarks.chaos.relay import relay
from tests.battlesnake_search.timing import deadlines_in
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Context, ScriptedService
from tests.support.certificates import server_credentials, write
from tests.support.services import free_port

PATIENCE = 20.0


class _PeerService(ScriptedService):
    """A service that notes by which connection each call came."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.peers: list[str] = []

    def _answer(self, request: search_pb2.StreamSearchRequest, context: Context):  # type: ignore[no-untyped-def]
        self.peers.append(str(context.peer()))
        return scripted_searcher.at_once(request, context)


@pytest.fixture(autouse=True)
def _always_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the files at each call."""
    monkeypatch.setattr(watching, "INTERVAL", 0.0)


async def _search(client: SearcherClient) -> SearchReply:
    return await client.search(search_pb2.StreamSearchRequest(), deadlines_in(5.0, 5.0))


async def _search_until(client: SearcherClient, met: Callable[[], bool]) -> list[SearchReply]:
    """Search again and again until a condition is met."""
    replies = []
    async with asyncio.timeout(PATIENCE):
        while not met():
            replies.append(await _search(client))
            await asyncio.sleep(0.005)
    return replies


async def test_new_certificates_are_used_and_no_call_is_lost(tmp_path: Path) -> None:
    """Calls go on over the former connection until that with the new certificates is ready."""
    authority, service = trustme.CA(), _PeerService()
    certificates = write(tmp_path, authority)
    credentials = server_credentials(authority, clients=authority)
    async with (
        scripted_searcher.searcher(service, credentials=credentials) as target,
        SearcherClient(target, Credentials(CredentialFiles(certificates))) as client,
    ):
        await _search(client)
        for renewals in (1, 2, 3):
            write(tmp_path, authority)
            several = [
                _search_until(client, lambda: len(set(service.peers)) > renewals)  # noqa: B023
                for _ in range(4)
            ]
            replies = [reply for each in await asyncio.gather(*several) for reply in each]
            assert all(reply.final and not reply.failures for reply in replies)


async def test_certificates_that_searchers_refuse_leave_the_former_connection(tmp_path: Path) -> None:
    """A mistake in a renewal costs no move, and is mended by the next renewal."""
    authority, service = trustme.CA(), _PeerService()
    certificates = write(tmp_path, authority)
    credentials = server_credentials(authority, clients=authority)
    async with (
        scripted_searcher.searcher(service, credentials=credentials) as target,
        SearcherClient(target, Credentials(CredentialFiles(certificates))) as client,
    ):
        await _search(client)
        write(tmp_path, trustme.CA())
        for _ in range(20):
            assert (await _search(client)).final
            await asyncio.sleep(0.01)
        assert len(set(service.peers)) == 1
        write(tmp_path, authority)
        await _search_until(client, lambda: len(set(service.peers)) == 2)


async def test_a_long_call_keeps_its_former_connection(tmp_path: Path) -> None:
    """A search that began before a renewal ends as it would without."""
    authority, going_on = trustme.CA(), asyncio.Event()
    certificates = write(tmp_path, authority)

    async def script(request: search_pb2.StreamSearchRequest, context: Context):  # type: ignore[no-untyped-def]
        if len(service.requests) == 1:
            await going_on.wait()
        async for response in scripted_searcher.at_once(request, context):
            yield response

    service = ScriptedService(script)
    async with (
        scripted_searcher.searcher(service, credentials=server_credentials(authority)) as target,
        SearcherClient(target, Credentials(CredentialFiles(certificates))) as client,
    ):
        long = asyncio.create_task(_search(client))
        async with asyncio.timeout(PATIENCE):
            while not service.requests:
                await asyncio.sleep(0.005)
        write(tmp_path, authority)
        with capture_logs() as logs:
            await _search_until(client, lambda: len(logs) == 2)
        assert [entry["event"] for entry in logs] == [
            "files read again",
            "connected with the new certificates",
        ]
        assert not long.done()
        going_on.set()
        assert (await long).final


async def test_a_client_may_be_closed_during_a_renewal(tmp_path: Path) -> None:
    """Neither connection is left open, and nothing waits for searchers that are gone."""
    authority = trustme.CA()
    certificates = write(tmp_path, authority)
    client = SearcherClient("grpcs://localhost:1", Credentials(CredentialFiles(certificates)))
    for _ in range(2):
        write(tmp_path, authority)
        await client.trouble()
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await client.close()
            return
    pytest.fail("the client does not close")


async def test_a_connection_that_died_in_silence_is_replaced() -> None:
    """Searches reach the searcher again although nothing reports that the connection is dead."""
    service = _PeerService()
    async with (
        scripted_searcher.searcher(service) as target,
        relay(int(target.rpartition(":")[2])) as (between, port),
        SearcherClient(f"127.0.0.1:{port}") as client,
    ):
        await _search(client)
        between.bury()
        async with asyncio.timeout(PATIENCE):
            while not (await client.search(search_pb2.StreamSearchRequest(), deadlines_in(0.3, 0.3))).final:
                pass
        assert len(set(service.peers)) == 2


async def test_a_new_client_does_not_wait_for_the_backoff_of_a_former_one() -> None:
    """Failures of one that tried before the searcher was there are not those of one that comes after."""
    address = f"127.0.0.1:{free_port()}"
    async with SearcherClient(address) as former:
        for _ in range(4):
            assert await former.trouble()
            await asyncio.sleep(0.3)
        async with (
            scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once), address),
            SearcherClient(address) as client,
        ):
            assert await client.trouble() == ""
