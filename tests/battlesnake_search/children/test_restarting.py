"""The embedded searcher, with a scripted searcher as its process."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics
from prometheus_client.parser import text_string_to_metric_families as plain

from battlesnake_search.children import restarting as module
from battlesnake_search.children.restarting import embedded, read_metrics
from battlesnake_search.children.service import Service
from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient, SearchReply
from searcher.serving.metrics import Metrics
from tests.battlesnake_search.samples import deadlines_in
from tests.gateway.gateway_process import serving
from tests.support.child_process import killed
from tests.support.event_loop import until
from tests.support.logs import capture_logs

SEARCHER_PROCESS = (sys.executable, "-m", "tests.gateway.searcher_process")
PATIENCE = 20.0
"""Seconds: far more than a process needs to start or end on a busy machine."""

PARENT = """
import asyncio, signal, sys
from battlesnake_search.children.restarting import embedded
from battlesnake_search.children.service import Service

async def main():
    async with embedded(Service(sys.argv[2:], dies_with=signal.Signals[sys.argv[1]])) as target:
        print(target, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@asynccontextmanager
async def _running(*options: str) -> AsyncIterator[SearcherClient]:
    async with embedded(Service([*SEARCHER_PROCESS, *options])) as target, SearcherClient(target) as searcher:
        yield searcher


async def _search(searcher: SearcherClient, seconds: float = 0.3) -> SearchReply:
    return await searcher.search(search_pb2.StreamSearchRequest(), deadlines_in(seconds, seconds))


async def _process(searcher: SearcherClient, other_than: int = 0) -> int:
    """Wait for a process that searches, other than a given one; return its id."""
    async with asyncio.timeout(PATIENCE):
        while True:
            reply = await _search(searcher)
            if reply.result and reply.result.nodes != other_than:
                return reply.result.nodes


def _is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


async def test_a_guarded_environment_does_not_lock_the_gateway_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedded searcher needs no token and no TLS, even if remote searchers need them."""
    for variable in ("TLS_CERT", "TLS_KEY", "TLS_CLIENT_CA", "TOKENS"):
        monkeypatch.setenv(f"SEARCHER_{variable}", "/nowhere/file")
    async with embedded(Service()) as target, SearcherClient(target) as searcher:
        async with asyncio.timeout(PATIENCE):
            while "UNAVAILABLE" in await searcher.trouble():
                await asyncio.sleep(0.05)
        assert (await searcher.list_strategies(PATIENCE)).searches


async def test_a_searcher_ends_with_the_gateway() -> None:
    """On shutdown the searcher ends, even if it ignores SIGTERM, and its socket is removed."""
    async with _running("--stubborn") as searcher:
        process = await _process(searcher)
        address = Path(searcher.target.removeprefix("unix:"))
        assert address.exists() and address.parent.stat().st_mode & 0o077 == 0
    assert not _is_alive(process)
    assert not address.parent.exists()


async def test_a_process_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is killed once it does not answer twice in a row, and the log says so."""
    monkeypatch.setattr(module, "_CHECK", 0.05)
    silent: set[int] = set()
    asked: list[int] = []

    async def answers() -> bool:
        asked.append(service.pid or 0)
        return service.pid not in silent

    service, ends = Service(SEARCHER_PROCESS), list[bool]()
    with capture_logs() as lines:
        async with (
            embedded(service, on_ended=ends.append, answers=answers) as target,
            SearcherClient(target) as searcher,
        ):
            hanging = await _process(searcher)
            await until(lambda: len(asked) >= 3)
            os.kill(hanging, signal.SIGSTOP)
            silent.add(hanging)
            assert await _process(searcher, other_than=hanging) == service.pid
    assert not _is_alive(hanging) and ends == [False]
    [hangs] = [line for line in lines if line["event"] == "searcher hangs"]
    assert hangs["pid"] == hanging
    [ended] = [line for line in lines if line["event"] == "searcher ended"]
    assert ended["reason"] == "exit status -9"


async def test_a_process_that_hangs_at_its_start_is_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is killed if it does not listen in time."""
    monkeypatch.setattr(module, "_STARTING", 0.3)
    starts, ends = tmp_path / "starts", list[bool]()

    async def answers() -> bool:
        raise AssertionError("nothing listens")

    script = f"import time; open({str(starts)!r}, 'a').write('x'); time.sleep(60)"
    service = Service([sys.executable, "-c", script])
    async with embedded(service, on_ended=ends.append, answers=answers):
        await until(lambda: len(ends) >= 2)


async def test_a_searcher_that_keeps_dying_is_restarted_with_a_growing_backoff(tmp_path: Path) -> None:
    """A command that ends at once is restarted after growing pauses."""
    starts = tmp_path / "starts"
    script = f"import time; open({str(starts)!r}, 'a').write(f'{{time.monotonic()}} ')"
    async with embedded(Service([sys.executable, "-c", script])):
        await until(lambda: starts.exists() and len(starts.read_text().split()) >= 5)
    times = [float(time) for time in starts.read_text().split()]
    assert times[4] - times[3] > times[1] - times[0]
    assert times[4] - times[0] > 0.05 + 0.1 + 0.2 + 0.4


async def test_the_children_of_a_dead_searcher_end_too(tmp_path: Path) -> None:
    """A searcher that dies leaves no child process behind."""
    left = tmp_path / "left"
    script = (
        "import subprocess, sys; child = subprocess.Popen(['sleep', '60']);"
        f"open({str(left)!r}, 'w').write(f'{{child.pid}} '); sys.exit(1)"
    )
    async with embedded(Service([sys.executable, "-c", script])):
        await until(lambda: left.exists() and " " in left.read_text())
        process = int(left.read_text())
        await until(lambda: not _is_alive(process))
    assert not _is_alive(process)


async def test_a_service_that_runs_already_is_kept_running() -> None:
    """The process that was started before the event loop searches, and is replaced when it dies."""
    service = Service(SEARCHER_PROCESS)
    service.start()
    async with embedded(service) as target, SearcherClient(target) as searcher:
        assert target == service.target
        first = await _process(searcher)
        assert first == service.pid
        os.kill(first, signal.SIGKILL)
        now = asyncio.get_running_loop().time
        killed_at = now()
        assert await _process(searcher, other_than=first) == service.pid
        assert now() - killed_at < PATIENCE / 2
    assert not _is_alive(first)
    assert not service.socket.parent.exists()


@pytest.mark.parametrize(("dies_with", "is_stopped"), [("SIGTERM", False), ("SIGKILL", True)])
async def test_a_searcher_ends_when_the_gateway_is_killed(dies_with: str, is_stopped: bool) -> None:
    """After kill -9 of its parent the searcher ends too. SIGKILL reaches a process that runs no more code."""
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, dies_with, *SEARCHER_PROCESS, stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    target = (await parent.stdout.readline()).decode().strip()
    async with SearcherClient(target) as searcher:
        process = await _process(searcher)
        if is_stopped:
            os.kill(process, signal.SIGSTOP)
        # The searcher has the parent's pipe too, so this waits for both.
        await killed(parent)
        await until(lambda: not _is_alive(process))
    # The killed parent could not remove it.
    shutil.rmtree(Path(target.removeprefix("unix:")).parent)


async def test_a_searcher_that_does_not_answer_has_no_metrics(tmp_path: Path) -> None:
    """The gateway's own are shown all the same."""
    socket = tmp_path / "metrics.sock"
    assert await read_metrics(socket, "") == b""
    metrics = Metrics()
    await metrics.ports.listen(f"unix:{socket}")
    assert b"searcher_serving 0.0" in await read_metrics(socket, "")
    await metrics.ports.close()


async def test_a_gateway_shows_those_of_its_searcher(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each metric once, in both formats."""
    tmp_path = tmp_path_factory.mktemp("m")
    # The names of folders may have spaces and the characters that end the path of a URI.
    folder = tmp_path / "a b%20#?ä"
    folder.mkdir()
    async with serving("", PUBLIC_METRICS="true", TMPDIR=str(folder)) as (_, client):
        assert [each.name.startswith("battlesnake-") for each in folder.iterdir()] == [True]
        for accept, parse in (("text/plain", plain), ("application/openmetrics-text", open_metrics)):
            async with client.get("/metrics", headers={"Accept": accept}) as answer:
                names = [family.name for family in parse(await answer.text())]
            assert len(names) == len(set(names))
            assert {"gateway_moves", "searcher_serving", "searcher_demand_seconds"} <= set(names)
