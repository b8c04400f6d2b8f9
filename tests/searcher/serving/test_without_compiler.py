"""A searcher without the compiler: prebuilt or cached code plays, and what is missing is said."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import grpc.aio
import pytest

from battlesnake_search.contract import search_pb2, search_pb2_grpc
from searcher.engine.jit.code_cache import origin
from searcher.serving.service import CODE_KEY
from tests.searcher.plugins.packages import PACKAGE, path_with, unpack
from tests.searcher.requests import search_request
from tests.support.child_process import killed
from tests.support.searchers import PATIENCE, searcher
from tests.support.services import DEFAULT, ROOT

SERVE = """
import runpy, sys
sys.modules.update(numba=None, llvmlite=None)
sys.argv[0] = "searcher"
runpy.run_module("searcher", run_name="__main__")
"""
"""Runs the searcher as if Numba were not installed: Python takes a module that is None for a missing one."""

HEAVY = """
    DESCRIPTION = "My length."
    WEIGHTS = ()


    def evaluate(game, board, weights, snake):
        return board.length[snake] / 100
    """
"""An evaluator of another package."""

EXTRA = "pip install 'battlesnake-search[compile]'"


def refused(settings: Mapping[str, str]) -> tuple[int, str]:
    """Return the status and the log of a searcher that ends by itself."""
    done = subprocess.run(
        [sys.executable, "-c", SERVE, "serve", "--listen", "127.0.0.1:0"],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stderr


def test_without_code_a_searcher_ends(tmp_path: Path) -> None:
    """One line says what is missing and what to install."""
    status, log = refused({"SEARCHER_CACHE_DIR": str(tmp_path), "SEARCHER_ONLY": DEFAULT})
    assert status == 1
    assert EXTRA in log and "Traceback" not in log


async def log_with(process: asyncio.subprocess.Process, *texts: str) -> str:
    """Return what a process logs until it has logged all of these texts."""
    assert process.stderr is not None
    log = ""
    async with asyncio.timeout(PATIENCE):
        while not all(text in log for text in texts):
            log += (await process.stderr.readline()).decode()
    return log


@pytest.mark.usefixtures("compiled")
async def test_evaluators_that_need_the_compiler_are_left_out(tmp_path: Path) -> None:
    """The default strategy plays; a line names the evaluator, the extra, and the place of its function."""
    unpack(tmp_path, {"heavy": HEAVY}, {"heavy": f"{PACKAGE}.heavy"})
    settings = {"PYTHONPATH": path_with(tmp_path), "SEARCHER_ONLY": "paranoid/heavy"}
    command = [sys.executable, "-c", SERVE, "serve", "--listen", "127.0.0.1:0"]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env={**os.environ, **settings}, stderr=asyncio.subprocess.PIPE
    )
    try:
        log = await log_with(process, "serving on 127.0.0.1", "evaluator heavy is left out")
        (line,) = (line for line in log.splitlines() if "left out" in line)
        assert EXTRA in line and "heavy.py:" in line
    finally:
        await killed(process)


@pytest.mark.usefixtures("compiled")
async def test_a_searcher_with_code_loads_no_compiler(tmp_path: Path) -> None:
    """It plays without Numba and LLVM in its memory, and tells callers what code runs."""
    address = f"unix:{tmp_path / 'searcher.sock'}"
    async with searcher(address) as process, grpc.aio.insecure_channel(address) as channel:
        stub = search_pb2_grpc.SearchServiceStub(channel)
        assert (await stub.Search(search_request(depth=3))).result.depth == 3
        call = stub.ListStrategies(search_pb2.ListStrategiesRequest())
        await call
        assert dict(await call.trailing_metadata())[CODE_KEY] == origin()
        mapped = Path(f"/proc/{process.pid}/maps").read_text()
    assert "min_node" in mapped
    assert "llvmlite" not in mapped and "numba" not in mapped
