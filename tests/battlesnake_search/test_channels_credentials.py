"""What the gateway shows to searchers."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health, health_pb2_grpc
from structlog.testing import capture_logs

from battlesnake_search.channels import CredentialFiles, Credentials
from battlesnake_search.common import access as watching
from battlesnake_search.contract import analysis_pb2, analysis_pb2_grpc, search_pb2, search_pb2_grpc
from battlesnake_search.searcher_client import SearcherClient
from tests.battlesnake_search.timing import deadlines_in
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService
from tests.support import grpc_server

Continuation = Callable[[grpc.HandlerCallDetails], Awaitable[Any]]


class _Headers(grpc.aio.ServerInterceptor):
    """Notes each call's method and what it shows."""

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
    """Make a call of each kind. Those that the server does not know fail."""
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
    """Remote searchers see it, whatever they are asked; the embedded one, on its Unix socket, does not."""
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


def test_a_new_token_is_shown(token: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is read again when it changes; while it holds nothing, the former token stays."""
    monkeypatch.setattr(watching, "INTERVAL", 0.0)
    credentials = _credentials(token)
    for content, shown in (("", "gateway.secret"), ("gateway.new", "gateway.new")):
        token.write_text(content)
        assert credentials.metadata("searcher:50051") == (("authorization", f"Bearer {shown}"),)


@pytest.mark.parametrize("content", ["", "two tokens", "a\nb", "schl\u00fcssel"])
def test_a_file_without_one_token_is_refused(token: Path, content: str) -> None:
    """The error names the file and does not repeat what it holds."""
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
    """Whoever listens between gateway and searcher could read it."""
    with capture_logs() as logs:
        async with SearcherClient(target, _credentials(token)):
            pass
    assert [entry["event"] for entry in logs] == ["the token is sent unencrypted"] * warns
