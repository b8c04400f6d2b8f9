"""The console's pages with the API of analyses.

Usage: python -m tests.battlesnake_search.viewer.analysis_server fake|real.

The process prints its address. The searcher behind the API is its own, with fake or real strategies.
"""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import PIPE, Popen

from aiohttp import web

from tests.battlesnake_search.viewer.console import Console
from tests.console.web.analyses import add_analyses
from tests.searcher.fakes import FakeStrategies
from tests.searcher.real_strategies import RealStrategies
from tests.support.logs import capture_logs
from tests.support.services import ROOT

STRATEGIES = {"fake": FakeStrategies, "real": RealStrategies}


@contextmanager
def running(strategies: str) -> Iterator[str]:
    """Run the process until the block ends; yield the address."""
    command = [sys.executable, "-m", __name__, strategies]
    process = Popen(command, cwd=ROOT, stdout=PIPE, text=True)
    assert process.stdout
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


async def serve(strategies: str) -> None:
    """Serve until the process ends."""
    app = Console().app()
    add_analyses(app, STRATEGIES[strategies]())
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    # Logs would go to standard output, as the address does.
    with capture_logs():
        asyncio.run(serve(sys.argv[1]))
