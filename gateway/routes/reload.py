"""The routes in force: read at the start, and again on SIGHUP."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import structlog
from aiohttp import web

from gateway.bodies import Turn
from gateway.routes import config, strategy_check
from gateway.routes.config import Choice, Routes
from gateway.routes.toml import TomlError
from gateway.searchers.pool import Searchers

log = structlog.get_logger(__name__)


class Routing:
    """Holds the routes of a file, or those without one: a snake at / that plays the strategy.

    Raises what `config.load` does.
    """

    def __init__(self, file: Path | None, strategy: str) -> None:
        self._file = file
        self._strategy = strategy
        self._checking: asyncio.Task[None] | None = None
        self.routes = config.load(file, strategy)

    def choose(self, path: str, turn: Turn, asked: str) -> Choice:
        """The arm that plays the turn's game for the snake at a path; `asked` may name it.

        A game may last longer than the routes that it began under: where they name its snake no more, the one
        at / plays on.
        """
        snake = self.routes.snake(path)
        if snake is None:
            log.warning("no such snake", path=path, game_id=turn.game.id, turn=turn.turn)
        return self.routes.choose(snake or self.routes.default, turn, asked)

    @asynccontextmanager
    async def running(self, searchers: Searchers) -> AsyncIterator[None]:
        """Have all searchers of the routes open, in the block; read the file again on each SIGHUP."""
        await self._put_in_force(self.routes, searchers)
        reloading = asyncio.create_task(self._reload_on_hangup(searchers)) if self._file else None
        try:
            yield
        finally:
            tasks = [task for task in (reloading, self._checking) if task]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _reload_on_hangup(self, searchers: Searchers) -> None:
        loop, hangup = asyncio.get_running_loop(), asyncio.Event()
        loop.add_signal_handler(signal.SIGHUP, hangup.set)
        try:
            while True:
                await hangup.wait()
                hangup.clear()
                await self._reload(searchers)
        finally:
            loop.remove_signal_handler(signal.SIGHUP)

    async def _reload(self, searchers: Searchers) -> None:
        """Read the file again; if it is wrong, the routes stay as they are."""
        try:
            loaded = config.load(self._file, self._strategy)
        except (OSError, TomlError) as error:
            log.error("routes not reloaded", file=str(self._file), error=str(error))
            return
        await self._put_in_force(loaded, searchers)

    async def _put_in_force(self, loaded: Routes, searchers: Searchers) -> None:
        targets = {target for plan in loaded.plans() for target in plan.searchers}
        await searchers.open(targets)
        self.routes = loaded
        searchers.keep(targets)
        if self._file:
            log.info("routes in force", file=str(self._file), snakes=[snake.path for snake in loaded.snakes])
            self._check(loaded, searchers)

    def _check(self, loaded: Routes, searchers: Searchers) -> None:
        if self._checking:
            self._checking.cancel()
        self._checking = asyncio.create_task(strategy_check.warn(searchers, loaded.plans()))


ROUTING = web.AppKey("routing", Routing)
