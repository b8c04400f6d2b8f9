"""An outside snake: a small bot that shares no code with the project, and is slow or faulty on demand.

As a process of its own: python -m tests.arena.outside_snake --port 8080 --fault late --fault error --every 5
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

import click
from aiohttp import web

STEPS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}

Body = dict[str, Any]
"""A body that the engine posts."""


class Fault(StrEnum):
    """The faults of an answer to /move."""

    LATE = "late"
    """A move, after one and a half times the game's timeout."""
    ERROR = "error"
    """HTTP 500, with a move."""
    NOT_JSON = "not-json"
    WRONG_WORD = "wrong-word"
    """JSON, with the move "north"."""
    DROPPED = "dropped"
    """The connection is dropped."""
    SILENT = "silent"
    """No answer, ever."""


Schedule = Callable[[int], Fault | None]
"""Returns the fault of a turn, None for none. `{3: Fault.LATE}.get` is a schedule."""


def never(_turn: int) -> None:
    """The schedule of a snake without faults."""


def every(turns: int, *faults: Fault) -> Schedule:
    """Rotate through the faults: the first on turn `turns` - 1, the next one `turns` later."""

    def schedule(turn: int) -> Fault | None:
        rounds, rest = divmod(turn + 1, turns)
        return None if rest else faults[(rounds - 1) % len(faults)]

    return schedule


def choose(body: Body) -> str:
    """The first move onto a cell that no body will occupy; up if there is none."""
    board, head = body["board"], body["you"]["body"][0]
    wrapped = body["game"]["ruleset"]["name"].startswith("wrapped")
    held = {(part["x"], part["y"]) for snake in board["snakes"] for part in snake["body"][:-1]}
    for move, (dx, dy) in STEPS.items():
        x, y = head["x"] + dx, head["y"] + dy
        cell = (x % board["width"], y % board["height"])
        if cell not in held and (wrapped or cell == (x, y)):
            return move
    return "up"


class OutsideSnake:
    """The bot. `pause` is in seconds before each move; `requests` has the path and body of each request."""

    def __init__(
        self, faults: Schedule = never, pause: float = 0.0, choose: Callable[[Body], str] = choose
    ) -> None:
        self.faults = faults
        self.pause = pause
        self.choose = choose
        self.requests: list[tuple[str, Body]] = []

    def application(self) -> web.Application:
        """The web application of the snake."""
        application = web.Application()
        application.router.add_get("/", self.index)
        application.router.add_post("/start", self.start)
        application.router.add_post("/move", self.move)
        application.router.add_post("/end", self.end)
        return application

    async def read(self, request: web.Request) -> Body:
        """Read and record the body of a request."""
        body: Body = json.loads(await request.read())
        self.requests.append((request.path, body))
        return body

    async def index(self, _request: web.Request) -> web.StreamResponse:
        """Describe the snake."""
        return web.json_response({"apiversion": "1", "author": "tests", "color": "#888888"})

    async def start(self, request: web.Request) -> web.StreamResponse:
        """Record a game."""
        await self.read(request)
        return web.json_response({})

    async def move(self, request: web.Request) -> web.StreamResponse:
        """Answer with a move, or with the fault of the turn."""
        body = await self.read(request)
        await asyncio.sleep(self.pause)
        fault = self.faults(body["turn"])
        if fault is None:
            return web.json_response({"move": self.choose(body)})
        return await _faulty_answer(fault, request, body)

    async def end(self, request: web.Request) -> web.StreamResponse:
        """Record a game's end."""
        await self.read(request)
        return web.json_response({})


class StrictSnake(OutsideSnake):
    """Refuses with status 400 the requests that it dislikes, by path and body."""

    def __init__(self, dislikes: Callable[[str, Body], bool]) -> None:
        super().__init__()
        self._dislikes = dislikes

    async def read(self, request: web.Request) -> Body:
        """Read and record the body of a request, unless the snake refuses it."""
        body = await super().read(request)
        if self._dislikes(request.path, body):
            raise web.HTTPBadRequest
        return body


async def _faulty_answer(fault: Fault, request: web.Request, body: Body) -> web.StreamResponse:
    right = {"move": choose(body)}
    match fault:
        case Fault.LATE:
            await asyncio.sleep(1.5 * body["game"]["timeout"] / 1000)
            return web.json_response(right)
        case Fault.ERROR:
            return web.json_response(right, status=500)
        case Fault.NOT_JSON:
            return web.Response(text=right["move"])
        case Fault.WRONG_WORD:
            return web.json_response({"move": "north"})
        case Fault.DROPPED:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        case Fault.SILENT:
            await asyncio.get_running_loop().create_future()
            raise AssertionError("nobody sets the future")


@asynccontextmanager
async def running(snake: OutsideSnake, port: int = 0) -> AsyncIterator[str]:
    """Serve the snake on the loopback address until the block ends; yield its URL. Port 0: any free one."""
    runner = web.AppRunner(
        snake.application(), handler_cancellation=True, shutdown_timeout=0.1, access_log=None
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@contextmanager
def running_process(*options: str) -> Iterator[str]:
    """Run this file as a process of its own until the block ends; yield its URL.

    The options are those of its command line.
    """
    command = [sys.executable, "-m", "tests.arena.outside_snake", *options]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url, f"the outside snake ended with exit code {process.wait()}"
            yield url
        finally:
            process.terminate()


@click.command(context_settings={"show_default": True})
@click.option("--port", type=click.IntRange(0), default=0, help="0 is any free one.")
@click.option(
    "--fault",
    "faults",
    type=click.Choice([fault.value for fault in Fault]),
    multiple=True,
    help="Several take turns.",
)
@click.option("--every", "turns", type=click.IntRange(1), default=1, help="Turns from fault to fault.")
@click.option("--pause", type=click.IntRange(0), default=0, help="Milliseconds before each move.")
def main(port: int, faults: tuple[str, ...], turns: int, pause: int) -> None:
    """Serve an outside snake until it is killed; the first line of output is its URL."""
    schedule = every(turns, *map(Fault, faults)) if faults else never
    asyncio.run(_serve(OutsideSnake(schedule, pause / 1000), port))


async def _serve(snake: OutsideSnake, port: int) -> None:
    async with running(snake, port) as url:
        print(url, flush=True)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    main()
