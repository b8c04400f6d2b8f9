"""Runs real searchers, `python -m searcher serve`, on loopback."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.support.services import DEFAULT, ROOT

PATIENCE = 60.0
"""Seconds for a searcher with compiled code to serve, on a busy machine."""

Process = asyncio.subprocess.Process

_TICKS = os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def searcher(address: str, *options: str) -> AsyncIterator[Process]:
    """A searcher that is SERVING, with the default strategy alone; killed at the end, if it still runs."""
    command = [sys.executable, "-m", "searcher", "serve", "--listen", address, *options]
    # What nobody asks for is not compiled behind its back.
    env = os.environ | {"SEARCHER_ONLY": DEFAULT}
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=env, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        await asyncio.wait_for(_serving(address), PATIENCE)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def seconds_used(process: Process) -> float:
    """What a process has computed so far."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


async def until_idle(process: Process) -> None:
    """Returns once a process computes nothing, as when all that it gets ready behind its back is ready."""
    async with asyncio.timeout(PATIENCE):
        before = -1.0
        while (now := seconds_used(process)) - before > 0.02:
            before = now
            await asyncio.sleep(0.5)


async def _serving(address: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        while True:
            answer = await check(health_pb2.HealthCheckRequest(), wait_for_ready=True)
            if answer.status == health_pb2.HealthCheckResponse.SERVING:
                return
            await asyncio.sleep(0.02)
