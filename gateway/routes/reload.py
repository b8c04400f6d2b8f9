"""The routes in force: loaded at the start and reloaded on SIGHUP."""

import asyncio
import signal
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

import structlog

from gateway.bodies import Turn
from gateway.routes import config, strategy_check
from gateway.routes.config import Choice, Routes
from gateway.routes.toml import TomlError
from gateway.searchers.pool import SearcherPool

log = structlog.get_logger(__name__)


class RoutesInForce:
    """The routes of a file as they are now; without a file, a snake at / that plays the strategy.

    The parameters and the errors are those of `config.load`.
    """

    def __init__(self, file: Path | None, strategy: str, reserved: Collection[str] = ()) -> None:
        self._file = file
        self._strategy = strategy
        self._reserved = reserved
        self._checking: asyncio.Task[None] | None = None
        self.current = self._load()

    def choose(self, path: str, turn: Turn, arm_name: str) -> Choice:
        """Choose the arm that plays the turn's game for the snake at a path; `arm_name` may name it.

        A game may outlast the routes that it started with: if they no longer have its snake, the one at /
        plays on.
        """
        snake = self.current.snake(path)
        if snake is None:
            log.warning("no such snake", path=path, game_id=turn.game.id, turn=turn.turn)
        return self.current.choose(snake or self.current.default, turn, arm_name)

    @asynccontextmanager
    async def running(self, pool: SearcherPool) -> AsyncIterator[None]:
        """Keep the searchers of the routes open, and reload the file on each SIGHUP, until the block ends."""
        await self._put_in_force(self.current, pool)
        reloading = asyncio.create_task(self._reload_on_hangup(pool)) if self._file else None
        try:
            yield
        finally:
            tasks = [task for task in (reloading, self._checking) if task]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _load(self) -> Routes:
        return config.load(self._file, self._strategy, self._reserved)

    async def _reload_on_hangup(self, pool: SearcherPool) -> None:
        loop, hangup = asyncio.get_running_loop(), asyncio.Event()
        loop.add_signal_handler(signal.SIGHUP, hangup.set)
        try:
            while True:
                await hangup.wait()
                hangup.clear()
                await self._reload(pool)
        finally:
            loop.remove_signal_handler(signal.SIGHUP)

    async def _reload(self, pool: SearcherPool) -> None:
        """Load the file again; if it is invalid, keep the current routes."""
        try:
            loaded = self._load()
        except (OSError, TomlError) as error:
            log.error("routes not reloaded", file=str(self._file), error=str(error))
            return
        await self._put_in_force(loaded, pool)

    async def _put_in_force(self, loaded: Routes, pool: SearcherPool) -> None:
        targets = {target for plan in loaded.plans() for target in plan.searchers}
        await pool.open(targets)
        self.current = loaded
        pool.keep(targets)
        if self._file:
            log.info("routes in force", file=str(self._file), snakes=[snake.path for snake in loaded.snakes])
            self._check(loaded, pool)

    def _check(self, loaded: Routes, pool: SearcherPool) -> None:
        if self._checking:
            self._checking.cancel()
        self._checking = asyncio.create_task(strategy_check.warn(pool, loaded.plans()))
