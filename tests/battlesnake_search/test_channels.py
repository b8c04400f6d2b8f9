"""Connections to searchers, replaced during calls."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme
from grpc_health.v1 import health, health_pb2_grpc

from battlesnake_search.channels import CredentialFiles, Credentials
from battlesnake_search.common import access as watching
from battlesnake_search.contract import analysis_pb2, analysis_pb2_grpc, search_pb2, search_pb2_grpc
from battlesnake_search.searcher_client import SearcherClient, SearchReply
from benchmarks.chaos.relay import relay
from searcher.serving.server import Server
from tests.battlesnake_search.samples import deadlines_in
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Context, ScriptedService
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request, stream_request
from tests.support import grpc_server
from tests.support.certificates import server_credentials, write
from tests.support.logs import capture_logs
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
    """Calls use the former connection until the connection with the new certificates is ready."""
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


async def test_a_connection_that_died_in_silence_is_replaced() -> None:
    """Searches reach the searcher again although no error reports the dead connection."""
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
    """Failures of an earlier client, before the searcher listened, do not delay a later client."""
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


Continuation = Callable[[grpc.HandlerCallDetails], Awaitable[Any]]


class _Headers(grpc.aio.ServerInterceptor):
    """A record of each call's method and headers."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []

    async def intercept_service(self, continuation: Continuation, details: grpc.HandlerCallDetails) -> Any:
        headers = dict(details.invocation_metadata or ())
        self.shown.append((details.method.rpartition("/")[2], str(headers.get("authorization"))))
        return await continuation(details)


@pytest.fixture
def token(tmp_path: Path) -> Path:
    """Return a file with a token."""
    path = tmp_path / "token"
    path.write_text("gateway.secret\n")
    return path


def _credentials(token: Path) -> Credentials:
    return Credentials(CredentialFiles(token=token))


async def _call_all(client: SearcherClient) -> None:
    """Make a call of each kind. Calls that the server does not know fail."""
    await client.search(search_pb2.StreamSearchRequest(), deadlines_in(1.0, 1.0))
    await client.trouble()
    with pytest.raises(grpc.aio.AioRpcError):
        await client.list_strategies(1.0)
    with pytest.raises(grpc.aio.AioRpcError):
        await client.evaluate(analysis_pb2.EvaluateRequest())
    with pytest.raises(grpc.aio.AioRpcError):
        await client.advance(analysis_pb2.AdvanceRequest())
    with pytest.raises(grpc.aio.AioRpcError):
        await client.search_once(search_pb2.SearchRequest(), 1.0)
    async for _ in client.depths(search_pb2.StreamSearchRequest(), 1.0):
        pass


@pytest.mark.parametrize(("scheme", "shown"), [("", "Bearer gateway.secret"), ("unix:", "None")])
async def test_every_call_shows_the_token(tmp_path: Path, token: Path, scheme: str, shown: str) -> None:
    """Every call to a remote searcher has it. Calls to the embedded searcher, on its Unix socket, do not."""
    headers = _Headers()
    server = grpc_server.server([headers])
    search_pb2_grpc.add_SearchServiceServicer_to_server(ScriptedService(scripted_searcher.at_once), server)
    analysis_pb2_grpc.add_AnalysisServiceServicer_to_server(
        analysis_pb2_grpc.AnalysisServiceServicer(), server
    )
    health_pb2_grpc.add_HealthServicer_to_server(health.aio.HealthServicer(), server)
    target = f"unix:{tmp_path}/searcher.sock" if scheme else "127.0.0.1:{}"
    target = target.format(server.add_insecure_port(target.format(0)))
    await server.start()
    async with SearcherClient(target, _credentials(token)) as client:
        await _call_all(client)
    await server.stop(None)
    methods = ["StreamSearch", "Check", "ListStrategies", "Evaluate", "Advance", "Search", "StreamSearch"]
    assert headers.shown == [(method, shown) for method in methods]


def test_a_new_token_is_shown(token: Path) -> None:
    """The file is read again when it changes. While it is empty, the former token stays."""
    credentials = _credentials(token)
    for content, shown in (("", "gateway.secret"), ("gateway.new", "gateway.new")):
        token.write_text(content)
        assert credentials.metadata("searcher:50051") == (("authorization", f"Bearer {shown}"),)


@pytest.mark.parametrize("content", ["", "two tokens", "a\nb", "schl\u00fcssel"])
def test_a_file_without_one_token_is_refused(token: Path, content: str) -> None:
    """The error names the file and does not repeat its content."""
    token.write_text(content)
    with pytest.raises(ValueError, match="token: must hold one token and nothing else"):
        _credentials(token)


@pytest.mark.parametrize(
    ("target", "warns"),
    [
        ("searcher:50051", True),
        ("dns:///searcher:50051", True),
        ("grpcs://searcher:50051", False),
        ("127.0.0.1:50051", False),
        ("dns:///localhost:50051", False),
        ("unix:/tmp/searcher.sock", False),
    ],
)
async def test_a_token_on_an_open_network_is_warned_of(token: Path, target: str, warns: bool) -> None:
    """The token could be read between gateway and searcher."""
    with capture_logs() as logs:
        async with SearcherClient(target, _credentials(token)):
            pass
    assert [entry["event"] for entry in logs] == ["the token is sent unencrypted"] * warns


COUNTED = 3.0
"""Seconds of play in which calls are counted."""

MOST_COUNTS = 6
"""The counts within which calls must be balanced. gRPC needs some seconds, on a busy machine more."""


@asynccontextmanager
async def searcher(workers: int) -> AsyncIterator[tuple[str, FakeStrategies]]:
    """Run a searcher whose searches take all of their time; yield its address and its strategies."""
    strategies = FakeStrategies()
    server = Server("127.0.0.1:0", workers, strategies)
    address = await server.start()
    await server.warm()
    yield address, strategies
    await server.stop(0.0)


@pytest.mark.alone
async def test_a_larger_searcher_gets_more_calls() -> None:
    """Four workers soon get about four times the calls of one, and not as many."""
    ended = asyncio.Event()
    async with AsyncExitStack() as stack:
        (one, small), (other, large) = [
            await stack.enter_async_context(searcher(workers)) for workers in (1, 4)
        ]
        client = await stack.enter_async_context(SearcherClient(f"ipv4:{one},{other}"))

        async def play() -> None:
            while not ended.is_set():
                await client.search(stream_request(search_request()), deadlines_in(0.2, 0.3))

        games = [asyncio.create_task(play()) for _ in range(10)]
        for _ in range(MOST_COUNTS):
            before = len(small.record.runs), len(large.record.runs)
            await asyncio.sleep(COUNTED)
            after = len(small.record.runs), len(large.record.runs)
            calls = [then - first for first, then in zip(before, after, strict=True)]
            if 3 * calls[0] < calls[1] < 5 * calls[0]:
                break
        ended.set()
        await asyncio.gather(*games)
    assert 3 < calls[1] / calls[0] < 5


@pytest.mark.parametrize("variable", ["grpc_proxy", "https_proxy", "http_proxy"])
async def test_a_searcher_is_called_without_a_proxy(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the environment could not reach a searcher on the loopback address."""
    monkeypatch.setenv(variable, "http://127.0.0.1:1")
    service = ScriptedService(scripted_searcher.at_once)
    async with scripted_searcher.searcher(service) as target, SearcherClient(target) as client:
        reply = await _search(client)
    assert reply.final and not reply.failures
