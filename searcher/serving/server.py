"""The searcher as a gRPC server: health, reflection, warm-up and draining."""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Collection, Mapping
from functools import partial

import uvloop
from grpc_health.v1 import health_pb2, health_pb2_grpc

from battlesnake_search.common import tracing
from battlesnake_search.common.cli import stopping
from battlesnake_search.common.cores import available_cores
from battlesnake_search.common.logs import EventDict, Layout, get_logger
from battlesnake_search.common.memory import returning_memory
from battlesnake_search.contract import analysis_pb2, analysis_pb2_grpc, search_pb2_grpc
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.serving.address import ListenError
from battlesnake_search.serving.port import OPEN_PORT, Port, PortSettings, SettingsError
from battlesnake_search.serving.standard_services import HEALTH_SERVICE, HealthService, Reflection
from searcher.engine.jit.code_cache import TARGET, lacking_features, origin, refused_prebuilt
from searcher.engine.jit.emission import CompilerMissingError
from searcher.interface import StrategyChoice, StrategyProvider, Task
from searcher.plugins.faults import ReportOnce
from searcher.serving.analysis import AnalysisService
from searcher.serving.metrics import Metrics
from searcher.serving.program import SEARCHER
from searcher.serving.scheduling.analyses import IdleSearches
from searcher.serving.scheduling.scheduler import Scheduler, in_own_thread, settle
from searcher.serving.service import SERVICE, Gate, SearchService

ANALYSIS_SERVICE = analysis_pb2.DESCRIPTOR.services_by_name["AnalysisService"].full_name

DRAIN_GRACE = 3.5
"""Seconds for accepted searches to finish after SIGTERM. The process ends within 5 s, because longer searches
are stopped and the calls that are left are ended."""

_CLOSE_GRACE = 0.25
"""Seconds for the last responses to leave. Calls that watch the health would never end by themselves."""

_SWITCH_INTERVAL = 0.0005
"""Seconds after which a worker in Python code lets the event loop run. The default of 5 ms is too late."""

_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

_log = get_logger(__name__)


_PAUSE = 10.0
"""Seconds between two lines, except for the first and the last one."""


class CompileLog:
    """Receives progress, and logs some of it at level info and the rest at level debug.

    Only one thread at a time may call it. `count` receives the number of compiled parts and of all parts.
    `is_searching` returns whether searches are accepted meanwhile.
    """

    def __init__(
        self,
        count: Callable[[int, int], None],
        now: Callable[[], float] = time.monotonic,
        is_searching: Callable[[], bool] = lambda: False,
    ) -> None:
        self._count = count
        self._is_searching = is_searching
        self._now = now
        self._logged_at = -_PAUSE
        self._done: int | None = None
        self._began = 0.0
        self._latest: pb.Compilation | None = None

    def __call__(self, label: str, done: int, total: int) -> None:
        """Log that `done` of `total` functions are compiled, and the label."""
        self._count(done, total)
        now = self._now()
        if self._latest is None:
            self._began = now
        self._latest = None if done >= total else pb.Compilation(step=label, done=done, total=total)
        # A label without a further function is a separate message, such as the death of a compiling process.
        due = done in (0, total, self._done) or now - self._logged_at >= _PAUSE
        if due:
            self._logged_at = now
        self._done = done
        searching = self._is_searching()
        fields: EventDict = {"label": label, "done": done, "total": total, "searching": searching}
        (_log.info if due else _log.debug)("compiling", **fields)

    @property
    def compilation(self) -> pb.Compilation | None:
        """The code that is being compiled; None if there is none."""
        if (latest := self._latest) is None:
            return None
        found = pb.Compilation()
        found.CopyFrom(latest)
        found.elapsed.FromMilliseconds(int((self._now() - self._began) * 1000))
        return found


def _compiling(event: EventDict) -> str:
    meanwhile = "; moves are searched" if event["searching"] and event["done"] < event["total"] else ""
    return f"{event['label']} ({event['done']} of {event['total']}){meanwhile}"


LAYOUTS: Mapping[str, Layout] = {"compiling": _compiling}
"""The texts of the searcher's events, by the event's name."""


class Server:
    """A searcher that listens for requests. It must be created and used in one event loop.

    The constructor raises SettingsError if a file of the settings can't be used.
    """

    def __init__(
        self,
        listen: str,
        workers: int,
        strategies: StrategyProvider,
        settings: PortSettings = OPEN_PORT,
    ) -> None:
        self.metrics = Metrics()
        self.port = Port(listen, settings, SEARCHER, self.metrics.port, self.metrics.ports)
        self.endless: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once a search does not end. Its thread can be ended only with the process."""
        self._strategies = strategies
        new_search, metrics = strategies.new_search, self.metrics
        self._scheduler = Scheduler(workers, new_search, metrics.searches, self._take_off)
        self._analyses = IdleSearches(self._scheduler, new_search, metrics.analyses, self._take_off)
        self._gate = Gate()
        self._health = HealthService()
        self._compiling = CompileLog(
            self.metrics.count_parts, is_searching=lambda: not self._gate.closed_because
        )
        searches = SearchService(
            strategies,
            self._scheduler,
            self._gate,
            self.metrics.searches,
            lambda: self._compiling.compilation,
        )
        analyses = AnalysisService(
            strategies, self._gate, self._analyses, self.metrics.searches, self._take_off
        )
        server = self.port.server
        search_pb2_grpc.add_SearchServiceServicer_to_server(searches, server)
        analysis_pb2_grpc.add_AnalysisServiceServicer_to_server(analyses, server)
        for each in self.port.health_servers:
            health_pb2_grpc.add_HealthServicer_to_server(self._health, each)
        reflection = Reflection((SERVICE, ANALYSIS_SERVICE, HEALTH_SERVICE))
        server.add_generic_rpc_handlers((reflection,))

    async def start(self) -> str:
        """Listen, still NOT_SERVING, and return the address, with the actual port in place of port 0.

        Raises ListenError if it can't listen at the address.
        """
        self._set_health(_NOT_SERVING)
        return await self.port.start()

    async def warm(self) -> None:
        """Warm up the strategies and become SERVING. Raises the errors of the warm-up."""
        await in_own_thread(partial(self._strategies.warm_up, self._compiling), "warm")
        self._gate.closed_because = ""
        self._set_health(_SERVING)

    async def stop(self, grace: float = DRAIN_GRACE) -> None:
        """Become NOT_SERVING, drain and end. Searches that take longer than `grace` seconds are stopped."""
        self._gate.closed_because = "the searcher is shutting down"
        self._set_health(_NOT_SERVING)
        self._analyses.close()
        await self._scheduler.drain(grace)
        self._scheduler.close()
        await self.port.stop(_CLOSE_GRACE)

    def _take_off(self, task: Task, reason: str) -> None:
        """Take off the evaluator of a task that does not end, and let the process end."""
        _log.error(f"{task.strategy}: {reason}")
        self._strategies.take_off(task.strategy.evaluator, reason)
        settle(self.endless, None)

    def _set_health(self, status: health_pb2.HealthCheckResponse.ServingStatus) -> None:
        self.metrics.set_serving(status == _SERVING)
        for name in ("", SERVICE, ANALYSIS_SERVICE):
            self._health.set(name, status)


def serve(
    listen: str,
    workers: int | None = None,
    only: Collection[StrategyChoice] = (),
    settings: PortSettings = OPEN_PORT,
    ahead: Collection[StrategyChoice] = (),
) -> None:
    """Serve the strategies of this project until SIGTERM or SIGINT, then drain and return.

    At most `workers` searches run concurrently, by default one for each core. With `only`, offer the searches
    and evaluators of these strategies and of `auto`. Compile the strategies of `ahead` too before searches
    need them. Exits with status 1 if the warm-up fails. Exits with
    status 2 and one line on standard error if it can't listen, can't use a file of the settings, or lacks the
    CPU for the target in SEARCHER_CPU.
    """
    from searcher.precompile.warmup import CompiledStrategies

    if lacking := lacking_features(TARGET):
        missing = ", ".join(lacking)
        print(f"Error: SEARCHER_CPU is {TARGET}, but this machine lacks {missing}", file=sys.stderr)
        raise SystemExit(2)
    if refused := refused_prebuilt():
        _log.warning(refused)
    strategies = CompiledStrategies(only, ahead)
    try:
        ended = serve_strategies(listen, workers, strategies, settings)
    finally:
        strategies.close()
    if not ended:
        _start_again()


def _start_again() -> None:
    """Replace this process with a new one of the same command and id, because a thread can't be ended.

    No supervisor has to notice. The new process leaves out the evaluators that this one has taken off.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def serve_strategies(
    listen: str,
    workers: int | None,
    strategies: StrategyProvider,
    settings: PortSettings = OPEN_PORT,
) -> bool:
    """Serve any strategies, in the same way as `serve`. Return False if a search does not end."""
    sys.setswitchinterval(_SWITCH_INTERVAL)
    sys.unraisablehook = ReportOnce(_log.error)
    workers = workers or available_cores()
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(_serve(lambda: Server(listen, workers, strategies, settings), workers))
    except (ListenError, SettingsError) as error:
        print(f"Error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


async def _serve(make_server: Callable[[], Server], workers: int) -> bool:
    """Serve until a signal or a search that does not end. Return whether it was a signal."""
    begin = time.monotonic()
    tracing.configure("battlesnake-searcher")
    server = make_server()
    address = await server.start()
    stop_signal = stopping()
    warming = asyncio.create_task(server.warm())
    await asyncio.wait((warming, stop_signal), return_when=asyncio.FIRST_COMPLETED)
    if warming.done() and (failure := warming.exception()) is not None:
        if isinstance(failure, CompilerMissingError):
            _log.error(f"the code for {TARGET} is not there: {failure}")
        else:
            _log.error("warm-up failed", exc_info=failure)
        raise SystemExit(1)
    if warming.done():
        seconds = time.monotonic() - begin
        _log.info(f"serving on {address}, {workers} workers, warm in {seconds:.1f} s, code {origin()}")
    async with returning_memory():
        await asyncio.wait((stop_signal, server.endless), return_when=asyncio.FIRST_COMPLETED)
    warming.cancel()
    _log.info("draining" if stop_signal.done() else "restarting, to end a search that does not end")
    await server.stop()
    await asyncio.to_thread(tracing.close)
    return stop_signal.done()
