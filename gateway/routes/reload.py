"""The routes in force: checked against their searchers when they are loaded, and reloaded on request."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from aiohttp import web

from battlesnake_search.board import Turn
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sparse import Sparse
from battlesnake_search.common.toml import TomlError
from gateway.routes import config, loading
from gateway.routes.config import Routes, SnakeRoute
from gateway.routes.looks import Looks
from gateway.routes.strategy_check import (
    PATIENCE,
    Fault,
    Inspection,
    explain,
    inspect,
    inspect_all,
    inspect_tried,
    reflex_snakes,
    targets_of,
)
from gateway.searchers.pool import SearcherPool

log = get_logger(__name__)

_REFLEXES = "arms that need it answer with reflex moves"

_AT_START = 30.0
"""Seconds after the start in which a refusal by the embedded searcher ends the gateway.

Later the gateway may be playing games, and a reflex is better than no answer. A trial may end later. Then an
evaluator that fails it ends the gateway only if all snakes have played nothing but reflexes.
"""


class RoutesInForce:
    """The present routes of a file; without a file, a snake at / that plays the strategy.

    `loading.load` describes the parameters and the errors. `on_refusal` is called with the reason if the
    embedded searcher refuses its settings or a name in the routes soon after the start. It is also called if
    the gateway's own console refuses its settings then.
    """

    def __init__(
        self,
        file: Path | None,
        strategy: str,
        reserved: Collection[str] = (),
        looks: Looks | None = None,
    ) -> None:
        self._file = file
        self._load = partial(loading.load, file, strategy, reserved, looks)
        self._options = strategy, looks
        self._watching: list[asyncio.Task[None]] = []
        self._reload_wanted = asyncio.Event()
        self._stray = Sparse(burst=5)
        """The lines about requests for snakes that don't exist. Strangers can send any number of them."""
        self.on_refusal: Callable[[str], None] = _log_refusal
        self._soon = 0.0
        """The time until which a refusal ends the gateway, by the clock of the event loop."""
        self.current = self._load()
        ours, unused = config.default_snake(strategy, looks), config.default_snake("", None)
        if ours not in (self.current.default, unused):
            log.warning("the options of the snake at / have no effect: the file has one", file=str(file))

    def snake_for(self, address: str) -> SnakeRoute | None:
        """Return the snake that plays for an address; None if the address lacks the token that it needs.

        A game may last longer than its routes. If the new routes lack its snake, the snake at / plays on,
        unless the snake at / has a token.
        """
        default = self.current.default
        return self.current.at(address) or (None if default.token else default)

    def log_stand_in(self, address: str, turn: Turn) -> None:
        """Log that the snake at / plays for an address without a snake."""
        # The address may contain a former token, or most of a present one.
        path = "" if any(one.token for one in self.current.snakes) else address
        self._stray.log(
            log, logging.WARNING, "no such snake", path=path, game_id=turn.game.id, turn=turn.turn
        )

    def request_reload(self) -> None:
        """Reload the file in the background; without a file, log that it is missing."""
        if self._file:
            self._reload_wanted.set()
        else:
            log.info("nothing to reload: there is no routes file")

    @asynccontextmanager
    async def running(self, pool: SearcherPool) -> AsyncIterator[None]:
        """Keep the searchers of the routes open, and reload the file on request, until the block ends.

        The searchers are checked in the background, so running games get their moves without delay.
        """
        self._soon = asyncio.get_running_loop().time() + _AT_START
        await self._put_in_force(self.current, pool)
        self._watch(self._check_at_start(pool, target) for target in targets_of(self.current))
        reloading = asyncio.create_task(self._reload_on_request(pool))
        try:
            yield
        finally:
            tasks = [reloading, *self._watching]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def refuse_settings(self, service: str) -> None:
        """Call `on_refusal` soon after the start, because a service of the gateway's refuses its settings."""
        if asyncio.get_running_loop().time() < self._soon:
            self.on_refusal(f"{service} refuses its settings, for the reason above")

    async def _reload_on_request(self, pool: SearcherPool) -> None:
        while True:
            await self._reload_wanted.wait()
            self._reload_wanted.clear()
            await self._reload(pool)

    async def _reload(self, pool: SearcherPool) -> None:
        """Load the file again. If it is invalid or searchers can't play it, keep the current routes."""
        try:
            loaded = self._load()
        except TomlError as error:
            self._log_not_reloaded(str(error))
            return
        await pool.open(targets_of(loaded))
        inspections = await inspect_all(pool, loaded, PATIENCE)
        refused = [line for inspection in inspections for line in _refusals(inspection)]
        if refused:
            for line in refused:
                self._log_not_reloaded(line)
            pool.keep(targets_of(self.current))
            return
        await self._put_in_force(loaded, pool)
        for inspection in inspections:
            _warn(inspection)
        self._watch(
            self._check_later(pool, one.target) for one in inspections if one.may_answer_later or one.on_trial
        )

    def _log_not_reloaded(self, error: str) -> None:
        effect = "the former routes stay in force"
        log.error("routes not reloaded", file=str(self._file), error=error, effect=effect)

    async def _put_in_force(self, loaded: Routes, pool: SearcherPool) -> None:
        targets = targets_of(loaded)
        await pool.open(targets)
        self.current = loaded
        pool.keep(targets)
        if self._file:
            log.info("routes in force", file=str(self._file), snakes=[snake.path for snake in loaded.snakes])

    def _watch(self, checks: Iterable[Coroutine[None, None, None]]) -> None:
        """Run checks of the current routes in the background, in place of the checks of former routes."""
        for task in self._watching:
            task.cancel()
        self._watching = [asyncio.create_task(check) for check in checks]

    async def _check_at_start(self, pool: SearcherPool, target: str) -> None:
        is_embedded, now = pool.is_embedded(target), asyncio.get_running_loop().time
        look, patience = (inspect_tried, _AT_START) if is_embedded else (inspect, PATIENCE)
        inspection = await look(pool, self.current, target, patience)
        nobody_plays = len(reflex_snakes(self.current, [inspection])) == len(self.current.snakes)
        if is_embedded and inspection.faults and (now() < self._soon or nobody_plays):
            self.on_refusal("\n".join(map(self._explain, inspection.faults)))
            return
        _warn(inspection)
        if inspection.may_answer_later or inspection.on_trial:
            await self._check_later(pool, target)

    async def _check_later(self, pool: SearcherPool, target: str) -> None:
        _warn(await inspect_tried(pool, self.current, target))

    def _explain(self, fault: Fault) -> str:
        """Return a fault with the place to correct it."""
        return ": ".join(explain(fault, self.current, *self._options, self._file))


ROUTES = web.AppKey("routes", RoutesInForce)


def _log_refusal(reason: str) -> None:
    log.error("refused", reason=reason, effect=_REFLEXES)


def _refusals(inspection: Inspection) -> Iterator[str]:
    """Yield the reasons to refuse new routes: each fault, and a searcher's name without an address."""
    if inspection.is_unresolved:
        yield f"{inspection.searcher}: {inspection.trouble}"
    yield from map(str, inspection.faults)


def _warn(inspection: Inspection) -> None:
    """Log each fault, or the reason for a missing check."""
    if inspection.trouble:
        log.warning(
            "strategies not checked",
            searcher=inspection.searcher,
            reason=inspection.trouble,
            effect=_REFLEXES,
        )
    for fault in inspection.faults:
        log.warning(
            fault.problem,
            name=fault.name,
            path=fault.path,
            arm=fault.arm,
            searcher=inspection.searcher,
            **({"reason": fault.detail} if fault.detail else {"valid": fault.valid}),
            effect="the arm answers with reflex moves where it uses this",
        )
