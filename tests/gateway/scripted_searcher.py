"""A gRPC server whose searches follow a script, and a gateway in front of it, both on loopback."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import grpc
import grpc.aio
from google.protobuf.duration_pb2 import Duration
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from battlesnake_search.contract import analysis_pb2, analysis_pb2_grpc, search_pb2, search_pb2_grpc
from battlesnake_search.searcher_client import SERVICE
from searcher.errors import CompilingError
from tests.support import grpc_server

if TYPE_CHECKING:
    from aiohttp.test_utils import TestClient

Context = grpc.aio.ServicerContext[search_pb2.StreamSearchRequest, search_pb2.StreamSearchResponse]
Script = Callable[[search_pb2.StreamSearchRequest, Context], AsyncIterator[search_pb2.StreamSearchResponse]]
GameContext = grpc.aio.ServicerContext[analysis_pb2.AnalyzeGameRequest, analysis_pb2.AnalyzeGameResponse]
GameScript = Callable[
    [analysis_pb2.AnalyzeGameRequest, GameContext], AsyncIterator[analysis_pb2.AnalyzeGameResponse]
]
Gateway: TypeAlias = "TestClient[Any, Any]"

REQUESTS = Path(__file__).parents[1] / "fixtures" / "requests"


class ScriptedService(search_pb2_grpc.SearchServiceServicer):
    """A search service that follows a script and keeps the requests and the headers of its calls."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[search_pb2.StreamSearchRequest] = []
        self.headers: list[dict[str, str]] = []

    async def StreamSearch(
        self, request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        """Record the request, and follow the script."""
        self.requests.append(request)
        self.headers.append({key: str(value) for key, value in context.invocation_metadata() or ()})
        async for response in self.script(request, context):
            yield response


class ScriptedGames(analysis_pb2_grpc.AnalysisServiceServicer):
    """A service whose analyses of games follow a script. It keeps the requests."""

    def __init__(self, script: GameScript) -> None:
        self.script = script
        self.requests: list[analysis_pb2.AnalyzeGameRequest] = []

    async def AnalyzeGame(
        self, request: analysis_pb2.AnalyzeGameRequest, context: GameContext
    ) -> AsyncIterator[analysis_pb2.AnalyzeGameResponse]:
        """Record the request, and follow the script."""
        self.requests.append(request)
        async for response in self.script(request, context):
            yield response


@asynccontextmanager
async def searcher(
    service: ScriptedService,
    address: str = "127.0.0.1:0",
    status: int = health_pb2.HealthCheckResponse.SERVING,
    credentials: grpc.ServerCredentials | None = None,
    games: ScriptedGames | None = None,
) -> AsyncIterator[str]:
    """Serve a scripted searcher, with credentials by TLS as localhost; yield its target."""
    server = grpc_server.server()
    search_pb2_grpc.add_SearchServiceServicer_to_server(service, server)
    if games:
        analysis_pb2_grpc.add_AnalysisServiceServicer_to_server(games, server)
    checks = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    await checks.set(SERVICE, status)
    if credentials:
        target = f"grpcs://localhost:{server.add_secure_port(address, credentials)}"
    else:
        target = address.replace(":0", f":{server.add_insecure_port(address)}")
    await server.start()
    try:
        yield target
    finally:
        await server.stop(None)


@asynccontextmanager
async def gateway(target: str, strategy: str = "", routes: Path | None = None) -> AsyncIterator[Gateway]:
    """Serve the gateway in front of a searcher; yield a client for it."""
    # Processes that serve a scripted searcher alone start twice as fast without these.
    from aiohttp.test_utils import TestClient, TestServer

    from gateway import app
    from gateway.settings import NO_CONSOLE, Settings

    settings = Settings(searcher=target, strategy=strategy, routes=routes, console=NO_CONSOLE)
    application = app.build(replace(settings, public_metrics=True))
    async with TestClient(TestServer(application)) as client:
        yield client


def response(
    move: search_pb2.Direction, depth: int = 1, final: bool = False
) -> search_pb2.StreamSearchResponse:
    """Return a response as a searcher streams it."""
    result = search_pb2.SearchResult(
        move=move, depth=depth, nodes=10 * depth, score=0.25, elapsed=Duration(nanos=1000)
    )
    return search_pb2.StreamSearchResponse(result=result, final=final)


async def at_once(
    _request: search_pb2.StreamSearchRequest, _context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """Answer with two depths, the second one final."""
    yield response(search_pb2.DIRECTION_LEFT, depth=1)
    yield response(search_pb2.DIRECTION_UP, depth=2, final=True)


async def never(
    _request: search_pb2.StreamSearchRequest, _context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """Answer after every deadline."""
    await asyncio.sleep(60)
    yield response(search_pb2.DIRECTION_UP, final=True)


async def one_depth_then_silence(
    request: search_pb2.StreamSearchRequest, context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """Answer with a first depth, then nothing."""
    yield response(search_pb2.DIRECTION_RIGHT)
    async for late in never(request, context):
        yield late


async def one_depth_then_crash(
    _request: search_pb2.StreamSearchRequest, context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """Answer with a first depth, then abort as in a crash."""
    yield response(search_pb2.DIRECTION_RIGHT)
    await context.abort(grpc.StatusCode.INTERNAL, "crashed")


def refusing(code: grpc.StatusCode, times: int) -> Script:
    """Return a script that refuses that many calls, then answers."""
    left = times

    async def script(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        nonlocal left
        if left:
            left -= 1
            await context.abort(code, "not now")
        async for answer in at_once(request, context):
            yield answer

    return script


async def compiling(
    request: search_pb2.StreamSearchRequest, context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """Refuse every strategy but the default one, as a searcher does that compiles it."""
    if request.strategy.evaluator:
        error = CompilingError(f"still compiling {request.strategy.search}/{request.strategy.evaluator}")
        status = error.status()
        await context.abort(status.code, status.details, status.trailing_metadata)
    async for answer in at_once(request, context):
        yield answer


def setting(ended: asyncio.Event, inner: Script) -> Script:
    """Return a script that follows another one and sets an event when the call ends."""

    async def script(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        try:
            async for answer in inner(request, context):
                yield answer
        finally:
            ended.set()

    return script


def body(name: str = "standard-move-mid-42", **game: object) -> dict[str, Any]:
    """Return a recorded request body, with fields of its game replaced."""
    recorded: dict[str, Any] = json.loads((REQUESTS / f"{name}.json").read_bytes())
    recorded["game"] |= game
    return recorded
