"""The searcher as a gRPC server: health, reflection, warming, draining."""

import asyncio
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from protos.battlesnake.search.v1 import search_pb2, search_pb2_grpc
from searcher.interface import StrategyProvider
from searcher.plugins.faults import ToldOnce
from searcher.precompile.progress import ShownProgress
from searcher.serving.address import ListenError, check_address
from searcher.serving.scheduler import Scheduler, available_cores
from searcher.serving.service import SearchService

if TYPE_CHECKING:
    from searcher.interface import Strategy

SERVICE = search_pb2.DESCRIPTOR.services_by_name["SearchService"].full_name

DRAIN_GRACE = 5.0
"""Seconds that accepted searches get to finish in after SIGTERM."""

_LAST_WORDS = 0.25
"""Seconds for answers to leave after the last search; health watchers would stay for ever."""

_SWITCH_INTERVAL = 0.0005
"""Seconds after which a worker in Python code lets the event loop run; by default 5 ms, which is late."""

_LARGEST_REQUEST = 64 * 1024
"""Bytes. Three times the largest position; what is larger costs the event loop too much time to read."""

_OPTIONS = (
    # Two servers on one port would share its calls, and nobody would notice.
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", _LARGEST_REQUEST),
    # Callers may keep an idle connection alive as often as they like.
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 1_000),
    ("grpc.http2.max_ping_strikes", 0),
)

_AGE_GRACE = 60.0
"""Seconds that calls on a connection of the maximum age may go on for: as many as the longest search has."""

_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

_log = structlog.get_logger()


class Server:
    """A searcher that listens. Make it and use it within one event loop."""

    def __init__(
        self,
        listen: str,
        workers: int,
        strategies: StrategyProvider,
        max_connection_age: float | None = None,
    ) -> None:
        self._listen = listen
        self._strategies = strategies
        self._progress = ShownProgress()
        self._scheduler = Scheduler(workers, strategies.new_search)
        self._service = SearchService(strategies, self._scheduler)
        self._health = health.aio.HealthServicer()
        self._server = grpc.aio.server(options=(*_OPTIONS, *_aging(max_connection_age)))
        search_pb2_grpc.add_SearchServiceServicer_to_server(self._service, self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)

    async def start(self) -> str:
        """Listens, NOT_SERVING yet, and gives the address: as told, with the port that 0 stood for.

        Raises ListenError when it can't.
        """
        await self._set_health(_NOT_SERVING)
        check_address(self._listen)
        try:
            port = self._server.add_insecure_port(self._listen)
        except RuntimeError as error:
            raise ListenError(f"cannot listen on {self._listen}: {error}") from None
        await self._server.start()
        return (
            self._listen if self._listen.startswith("unix:") else f"{self._listen.rpartition(':')[0]}:{port}"
        )

    async def warm(self) -> None:
        """Gets the strategies ready and turns SERVING. Raises what the strategies raise."""
        loop = asyncio.get_running_loop()
        warmed: asyncio.Future[None] = loop.create_future()
        work = threading.Thread(target=self._warm, args=(loop, warmed), name="warm", daemon=True)
        work.start()
        await warmed
        self._service.open()
        await self._set_health(_SERVING)

    async def stop(self, grace: float = DRAIN_GRACE) -> None:
        """Turns NOT_SERVING, lets accepted searches finish for `grace` seconds, stops the others, ends."""
        self._service.close()
        await self._set_health(_NOT_SERVING)
        await self._scheduler.drain(grace)
        self._scheduler.close()
        self._progress.close()
        await self._server.stop(_LAST_WORDS)

    def _warm(self, loop: asyncio.AbstractEventLoop, warmed: asyncio.Future[None]) -> None:
        """Not in the loop's own executor, which a server told to end in mid-compilation would wait for."""
        failure: Exception | None = None
        try:
            self._strategies.warm_up(self._progress)
        except Exception as error:
            failure = error
        # The loop may be gone by now.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, warmed, failure)

    async def _set_health(self, status: health_pb2.HealthCheckResponse.ServingStatus) -> None:
        for name in ("", SERVICE):
            await self._health.set(name, status)


def _aging(seconds: float | None) -> tuple[tuple[str, int], ...]:
    """Channel arguments that end connections after so many seconds, a tenth more or less."""
    if seconds is None:
        return ()
    return (
        ("grpc.max_connection_age_ms", round(seconds * 1000)),
        ("grpc.max_connection_age_grace_ms", round(_AGE_GRACE * 1000)),
    )


def _settle(future: asyncio.Future[None], failure: Exception | None = None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(None)
    else:
        future.set_exception(failure)


def serve(
    listen: str,
    workers: int | None = None,
    only: "Collection[Strategy]" = (),
    max_connection_age: float | None = None,
) -> None:
    """Serves the strategies of this project until SIGTERM or SIGINT, then drains and returns.

    `workers` searches run at once, by default one on each core. `only` leaves out all strategies but these
    and the default one. After `max_connection_age` seconds a caller is told to connect again, which makes it
    look for new searchers; calls under way end as they began. Exits with 2 and one line on standard error
    when it can't listen, or can't run code for the target that SEARCHER_CPU names; with 1 when the
    strategies don't get ready.
    """
    from searcher.engine.jit.code_cache import TARGET, lacking_features
    from searcher.precompile.warmup import CompiledStrategies

    if lacking := lacking_features(TARGET):
        missing = ", ".join(lacking)
        print(f"error: SEARCHER_CPU is {TARGET}, and this machine has no {missing}", file=sys.stderr)
        raise SystemExit(2)
    strategies = CompiledStrategies(only)
    try:
        serve_strategies(listen, workers, strategies, max_connection_age)
    finally:
        strategies.close()


def serve_strategies(
    listen: str,
    workers: int | None,
    strategies: StrategyProvider,
    max_connection_age: float | None = None,
) -> None:
    """Serves likewise, but any strategies."""
    sys.setswitchinterval(_SWITCH_INTERVAL)
    log_to_stderr()
    sys.unraisablehook = ToldOnce(_log.error)
    workers = workers or available_cores()
    try:
        asyncio.run(_serve(lambda: Server(listen, workers, strategies, max_connection_age), workers))
    except ListenError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


async def _serve(make_server: Callable[[], Server], workers: int) -> None:
    begin = time.monotonic()
    server = make_server()
    address = await server.start()
    told_to_end = _signals()
    warming = asyncio.create_task(server.warm())
    await asyncio.wait((warming, told_to_end), return_when=asyncio.FIRST_COMPLETED)
    if warming.done() and (failure := warming.exception()) is not None:
        _log.error("cannot get the strategies ready", exc_info=failure)
        raise SystemExit(1)
    if warming.done():
        seconds = time.monotonic() - begin
        _log.info(f"serving on {address}, {workers} workers, warm in {seconds:.1f} s")
    await told_to_end
    warming.cancel()
    _log.info("draining")
    await server.stop()


def _signals() -> asyncio.Future[None]:
    """Done once SIGTERM or SIGINT came."""
    loop = asyncio.get_running_loop()
    told: asyncio.Future[None] = loop.create_future()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _settle, told)
    return told


def log_to_stderr() -> None:
    """Lines for people on a terminal, JSON elsewhere."""
    terminal = sys.stderr.isatty()
    # Plain tracebacks: the colourful ones print whole positions, line by line.
    console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    renderer = console if terminal else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([] if terminal else [structlog.processors.format_exc_info]),
            renderer,
        ],
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
