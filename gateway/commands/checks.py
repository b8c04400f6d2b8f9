"""The check of a gateway's port, its database, its routes, and the searchers that play them."""

import asyncio
import errno
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

from battlesnake_search.children.service import SEARCHER_COMMAND
from battlesnake_search.common.toml import TomlError
from battlesnake_search.ports.admin_address import ADMIN_REMEDY
from console.store.database import OutcomesDatabase, file_of, in_a_line
from gateway.app import RESERVED_PATHS
from gateway.commands.serve import refusal_of
from gateway.routes import loading
from gateway.routes.config import Arm, Routes, SnakeRoute
from gateway.routes.strategy_check import PATIENCE, Inspection, explain, inspect_tried, targets_of
from gateway.searchers.pool import SearcherPool
from gateway.settings import Settings

_STARTUP = 15.0
"""Seconds for the embedded searcher to start."""

_DATABASE_TIMEOUT = 10.0
_OUTCOMES_REMEDY = "Correct --outcomes or OUTCOMES_URL; none records nothing."

_QUIET = ("/bin/sh", "-c", 'exec "$@" 2>/dev/null', "sh")
"""A command that runs the command in its arguments without its log."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check. `remedy` is empty if it passed."""

    subject: str
    detail: str
    remedy: str = ""

    @property
    def passed(self) -> bool:
        """Whether the check has passed."""
        return not self.remedy

    def __str__(self) -> str:
        found = f"{self.detail.removesuffix('.')}. {self.remedy}" if self.remedy else self.detail
        return f"{'ok' if self.passed else 'FAIL':6}{self.subject:10}{found}"


async def check(settings: Settings, command: Sequence[str] = SEARCHER_COMMAND) -> AsyncIterator[CheckResult]:
    """Check everything that a gateway with these settings needs, and yield the results.

    `command` starts the embedded searcher. An existing database is opened as the gateway opens it, so its
    schema is upgraded. A missing file is not created.
    """
    yield await _check_address("port", settings.host, settings.port)
    if admin := settings.admin:
        yield await _check_address("admin", admin.host, admin.port, ADMIN_REMEDY, admin.is_chosen)
    yield await _check_outcomes(settings.outcomes)
    routes, checked = _check_routes(settings)
    yield checked
    if routes is None:
        return
    async with SearcherPool(settings.searcher, [*_QUIET, *command], settings.credentials) as pool:
        await pool.open(targets_of(routes))
        targets = sorted(targets_of(routes))
        patience = {one: _STARTUP if pool.is_embedded(one) else PATIENCE for one in targets}
        looks = (inspect_tried(pool, routes, one, patience[one]) for one in targets)
        for inspection in await asyncio.gather(*looks):
            yield await _check_searcher(pool, inspection)
            for result in _check_arms(routes, inspection, settings):
                yield result


async def _check_address(
    subject: str, host: str, port: int, admin_remedy: str = "", is_chosen: bool = True
) -> CheckResult:
    try:
        server = await asyncio.get_running_loop().create_server(asyncio.Protocol, host, port)
    except OSError as error:
        if not is_chosen and error.errno == errno.EADDRINUSE:
            return CheckResult(subject, f"{host}, port {port} is in use, so a free port takes its place")
        reason, remedy = refusal_of(host, port, error)
        return CheckResult(subject, reason, admin_remedy or remedy)
    server.close()
    return CheckResult(subject, f"{host}, {f'port {port} is free' if port else 'any free port'}")


async def _check_outcomes(database: OutcomesDatabase) -> CheckResult:
    if not database.url:
        return CheckResult("outcomes", f"not recorded: {database.reason}")
    file = file_of(database.url)
    if file and not os.path.exists(file):
        folder = next(each for each in file.parents if os.path.exists(each))
        if os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK):
            return CheckResult("outcomes", f"{file} will be created")
        reason = f"{file} can't be created: {folder} is not a folder that you may write to"
        return CheckResult("outcomes", reason, _OUTCOMES_REMEDY)
    # This needs the packages of the extra `outcomes`.
    from console.store.store import Store

    store = Store(database.url)
    try:
        async with store, asyncio.timeout(_DATABASE_TIMEOUT):
            await store.prepare()
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        return CheckResult("outcomes", f"{store.name} does not open: {in_a_line(error)}", _OUTCOMES_REMEDY)
    note = f", without {database.ignored}" if database.ignored else ""
    return CheckResult("outcomes", f"{store.name} opens{note}")


def _check_routes(settings: Settings) -> tuple[Routes | None, CheckResult]:
    """Return the routes, None if the file is invalid, and the result."""
    try:
        routes = loading.load(settings.routes, settings.strategy, RESERVED_PATHS, settings.looks)
    except (OSError, TomlError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        remedy = "docs/routing.md explains every field."
        return None, CheckResult("routes", f"{settings.routes}: {reason}", remedy)
    if not settings.routes:
        return routes, CheckResult("routes", f"no file: there is one snake, at {_shown(routes.default)}")
    paths = ", ".join(map(_shown, routes.snakes))
    return routes, CheckResult("routes", f"{settings.routes} is valid; snakes: {paths}")


def _shown(snake: SnakeRoute) -> str:
    return f"{snake.path} with a token" if snake.token else f"{snake.path} without a token"


async def _check_searcher(pool: SearcherPool, inspection: Inspection) -> CheckResult:
    name, is_embedded = inspection.searcher, pool.is_embedded(inspection.target)
    if inspection.listed is None:
        return CheckResult("searcher", f"{name}: {inspection.trouble}", _remedy(inspection, is_embedded))
    # The embedded searcher starts with each gateway, which waits for it.
    if not is_embedded and (trouble := await pool[inspection.target].trouble()):
        return CheckResult("searcher", trouble, "It may be compiling: its log shows the progress. Try again.")
    searches = ", ".join(search.name for search in inspection.listed.searches)
    evaluators = ", ".join(evaluator.name for evaluator in inspection.listed.evaluators)
    return CheckResult("searcher", f"{name} answers; searches: {searches}; evaluators: {evaluators}")


def _remedy(inspection: Inspection, is_embedded: bool) -> str:
    if is_embedded:
        return "`python -m searcher serve` shows the error."
    if inspection.refuses_token:
        return "Give a file with a valid token with --searcher-token."
    if inspection.is_unresolved:
        return "Correct the name in --searcher, or in the field `searcher` of the arm."
    return "Start a searcher there, for example with `python -m searcher serve`, or correct the target."


def _check_arms(routes: Routes, inspection: Inspection, settings: Settings) -> Iterator[CheckResult]:
    """Yield the result of each arm and each shadow that plays on a searcher, if the searcher has answered."""
    if inspection.listed is None:
        return
    for snake in routes.snakes:
        for variant in (*snake.arms, *snake.shadows):
            kind, name = ("arm" if isinstance(variant, Arm) else "shadow"), f"{snake.path} {variant.name}"
            found = (*inspection.faults, *inspection.on_trial)
            faults = [one for one in found if (one.path, one.arm) == (snake.path, variant.name)]
            plans = [plan for plan in variant.plans() if inspection.target in plan.searchers]
            if faults:
                source, _ = explain(faults[0], routes, settings.strategy, settings.looks, settings.routes)
                reasons = "; ".join(fault.reason for fault in faults)
                yield CheckResult(kind, f"{name}: {reasons}", f"Correct {source}.")
            elif plans:
                played = ", ".join(dict.fromkeys(plan.strategy or "the default strategy" for plan in plans))
                yield CheckResult(kind, f"{name} plays {played} on {inspection.searcher}")
