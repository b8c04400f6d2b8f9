"""Real searchers, `python -m searcher serve`, on loopback."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.support.child_process import killed
from tests.support.services import ONLY_DEFAULT, ROOT

PATIENCE = 60.0
"""Seconds for a searcher with compiled code to start serving on a busy machine."""

Process = asyncio.subprocess.Process

_TICKS = os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def searcher(
    address: str, *options: str | Path, log: Path = Path(os.devnull), health: str = ""
) -> AsyncIterator[Process]:
    """Yield a SERVING searcher with the default strategy only; kill it at the end if it still runs.

    `health` is where its health is asked for if its options ask callers for TLS.
    """
    command = [sys.executable, "-m", "searcher", "serve", "--listen", address, *map(str, options)]
    command += ["--health", health] if health else []
    env = os.environ | ONLY_DEFAULT
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=env, stderr=errors)
    try:
        await asyncio.wait_for(until_serving(health or address), PATIENCE)
        yield process
    finally:
        await killed(process)


def cpu_seconds(process: Process | subprocess.Popen[bytes]) -> float:
    """Return the processor time of a process so far, in seconds."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


async def wait_until_idle(process: Process | subprocess.Popen[bytes]) -> None:
    """Wait until a process is idle, as a searcher is once its background compilation is finished."""
    async with asyncio.timeout(PATIENCE):
        before = -1.0
        while (now := cpu_seconds(process)) - before > 0.02:
            before = now
            await asyncio.sleep(0.5)


async def until_serving(address: str) -> None:
    """Wait until a searcher at an address is SERVING."""
    async with grpc.aio.insecure_channel(address) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        while True:
            answer = await check(health_pb2.HealthCheckRequest(), wait_for_ready=True)
            if answer.status == health_pb2.HealthCheckResponse.SERVING:
                return
            await asyncio.sleep(0.02)
