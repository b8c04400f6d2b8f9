"""The check of a gateway's port, its console, its routes, and the searchers that play them."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator

import grpc.aio

from battlesnake_search.children.service import SEARCHER_COMMAND
from battlesnake_search.common.toml import TomlError
from battlesnake_search.ports.checks import CheckResult, check_address
from battlesnake_search.searcher_client import reason_of
from gateway.app import RESERVED_PATHS
from gateway.outbox.link import greet
from gateway.routes import loading
from gateway.routes.config import Arm, Routes, SnakeRoute
from gateway.routes.strategy_check import PATIENCE, Inspection, explain, inspect_tried, targets_of
from gateway.searchers.pool import SearcherPool
from gateway.settings import NO_CONSOLE, Settings

_STARTUP = 15.0
"""Seconds for the embedded searcher to start."""

_QUIET = ("/bin/sh", "-c", 'exec "$@" 2>/dev/null', "sh")
"""A command that runs the command in its arguments without its log."""


_CONSOLE_CHECK = (sys.executable, "-m", "console", "check", "--json")

_CALL = 5.0
"""The most seconds for an answer of a console."""


async def check(settings: Settings) -> AsyncIterator[CheckResult]:
    """Check everything that a gateway with these settings needs, and yield the results.

    The console's own command `check` gives the results for the pages and the database.
    """
    yield await check_address("port", settings.host, settings.port)
    for result in await _check_console(settings):
        yield result
    routes, checked = _check_routes(settings)
    yield checked
    if routes is None:
        return
    async with SearcherPool(settings.searcher, [*_QUIET, *SEARCHER_COMMAND], settings.credentials) as pool:
        await pool.open(targets_of(routes))
        targets = sorted(targets_of(routes))
        patience = {one: _STARTUP if pool.is_embedded(one) else PATIENCE for one in targets}
        looks = (inspect_tried(pool, routes, one, patience[one]) for one in targets)
        for inspection in await asyncio.gather(*looks):
            yield await _check_searcher(pool, inspection)
            for result in _check_arms(routes, inspection, settings):
                yield result


async def _check_console(settings: Settings) -> list[CheckResult]:
    """Return the results for the console of the settings."""
    if settings.console == NO_CONSOLE:
        return [CheckResult("console", "none, so games are not recorded")]
    return [await _check_other_console(settings)] if settings.console else await _check_own_console(settings)


async def _check_other_console(settings: Settings) -> CheckResult:
    try:
        await asyncio.wait_for(greet(settings.console, settings.console_credentials), _CALL)
    except grpc.aio.AioRpcError as error:
        reason = f"{error.code().name}: {reason_of(error)}"
    except TimeoutError:
        reason = f"no answer within {_CALL:.0f} s"
    else:
        return CheckResult("console", f"{settings.console} answers")
    remedy = "Start one there with `python -m console serve`, or correct --console."
    return CheckResult("console", f"{settings.console}: {reason}", remedy)


async def _check_own_console(settings: Settings) -> list[CheckResult]:
    """Return the results of the console's own command, without its address for gateways."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *_CONSOLE_CHECK, env=os.environ | settings.console_variables, stdout=pipe, stderr=pipe
    )
    try:
        output, error = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    try:
        found = json.loads(output)["checks"]
    except ValueError:
        lines = error.decode(errors="replace").splitlines()
        reason = lines[-1].removeprefix("Error: ") if lines else f"exit status {process.returncode}"
        return [CheckResult("console", reason, "Correct the option or the variable.")]
    # Its own console listens on a socket in a private folder.
    return [
        CheckResult(each["subject"], each["detail"], each["remedy"])
        for each in found
        if each["subject"] != "listen"
    ]


def _check_routes(settings: Settings) -> tuple[Routes | None, CheckResult]:
    """Return the routes, None if the file is invalid, and the result."""
    try:
        routes = loading.load(settings.routes, settings.strategy, RESERVED_PATHS, settings.looks)
    except TomlError as error:
        remedy = "docs/routing.md explains every field."
        return None, CheckResult("routes", f"{settings.routes}: {error}", remedy)
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
