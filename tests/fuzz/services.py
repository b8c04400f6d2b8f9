"""A gateway and a searcher on loopback that live as long as the process that fuzzes them."""

import asyncio
import json
import re
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from unittest.mock import patch

import grpc
import grpc.aio
from aiohttp.test_utils import TestClient, TestServer

from gateway import app
from gateway.settings import NO_CONSOLE, Settings
from searcher.serving.server import Server
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService
from tests.searcher.fakes import FakeStrategies

_METHODS = (
    ("battlesnake.search.v1.SearchService/Search", False),
    ("battlesnake.search.v1.SearchService/StreamSearch", True),
    ("battlesnake.search.v1.SearchService/ListStrategies", False),
    ("battlesnake.search.v1.AnalysisService/Evaluate", False),
    ("battlesnake.search.v1.AnalysisService/Advance", False),
    ("grpc.health.v1.Health/Check", False),
    ("grpc.reflection.v1.ServerReflection/ServerReflectionInfo", True),
    ("battlesnake.search.v1.AnalysisService/AnalyzeGame", True),
)
"""The methods of a searcher, and whether they answer with a stream."""

_DEADLINE = 0.05
"""Seconds for a call: a fake search takes all of its time."""

_OUR_FAULTS = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS)

_SERVER_ERROR = re.compile(rb"HTTP/1\.\d 5\d\d ")

_QUIET = 0.02
"""Seconds in which a server answers bytes that are complete."""

_Value = TypeVar("_Value")


class _Port:
    """A service in an event loop of its own, which runs only during calls."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()

    def _run(self, work: Coroutine[Any, Any, _Value]) -> _Value:
        return self._loop.run_until_complete(work)


class SearcherPort(_Port):
    """A searcher with fake strategies."""

    def __init__(self, strategies: FakeStrategies) -> None:
        super().__init__()
        self._run(self._start(strategies))

    def send(self, data: bytes) -> None:
        """Send bytes to all methods. Fails if the searcher blames itself for one."""
        for method, is_stream in _METHODS:
            code = self._run(self._status(method, data, is_stream))
            assert code not in _OUR_FAULTS, f"{method}: {code.name}"

    async def _start(self, strategies: FakeStrategies) -> None:
        self._server = Server("127.0.0.1:0", 2, strategies)
        address = await self._server.start()
        await self._server.warm()
        self._channel = grpc.aio.insecure_channel(address)

    async def _status(self, method: str, data: bytes, is_stream: bool) -> grpc.StatusCode:
        channel: Any = self._channel
        try:
            if is_stream:
                async for _ in channel.unary_stream(f"/{method}")(data, timeout=_DEADLINE):
                    pass
            else:
                await channel.unary_unary(f"/{method}")(data, timeout=_DEADLINE)
        except grpc.aio.AioRpcError as error:
            return error.code()
        return grpc.StatusCode.OK


class GatewayPort(_Port):
    """A gateway with a scripted searcher."""

    def __init__(self) -> None:
        super().__init__()
        self._stack = AsyncExitStack()
        self._run(self._start())

    def post(self, data: bytes) -> None:
        """Post a body to all paths. Fails unless the answer is a move, an empty one or a refusal."""
        for path in ("/start", "/move", "/end"):
            self._run(self._post(path, data))

    def send_raw(self, data: bytes) -> None:
        """Send bytes on a connection of their own. Fails if an answer is a 5xx, or if none is given later."""
        answers = self._run(self._send_raw(data))
        assert not _SERVER_ERROR.search(answers), answers[:500]
        self._run(self._is_alive())

    async def _start(self) -> None:
        service = ScriptedService(scripted_searcher.at_once)
        target = await self._stack.enter_async_context(scripted_searcher.searcher(service))
        server = TestServer(app.build(Settings(searcher=target, console=NO_CONSOLE)))
        # The console of whoever fuzzes must not record these games.
        self._folder = TemporaryDirectory(prefix="battlesnake-fuzz-")
        with patch("gateway.outbox.outbox.default_folder", lambda: Path(self._folder.name)):
            self._client: TestClient[Any, Any] = await self._stack.enter_async_context(TestClient(server))

    async def _post(self, path: str, data: bytes) -> None:
        async with self._client.post(path, data=data) as answer:
            text = await answer.read()
        if path == "/move" and answer.status == 200:
            assert json.loads(text)["move"] in ("up", "down", "left", "right")
        assert answer.status in (200, 400, 413), f"{path}: {answer.status} {text[:200]!r}"

    async def _send_raw(self, data: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._client.port)
        answers = b""
        with suppress(OSError, TimeoutError):
            writer.write(data)
            async with asyncio.timeout(_QUIET):
                while received := await reader.read(65536):
                    answers += received
        writer.close()
        return answers

    async def _is_alive(self) -> None:
        async with self._client.get("/healthz") as answer:
            assert answer.status == 200
