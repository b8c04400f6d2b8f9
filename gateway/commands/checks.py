"""The check of a gateway's port, its database, its routes, and the searchers that play them."""

import asyncio
import errno
import os
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc
import msgspec

from battlesnake_search.channels import Credentials
from battlesnake_search.common.sockets import SocketFolder
from battlesnake_search.common.toml import TomlError
from battlesnake_search.diagnosis import diagnose
from battlesnake_search.plan import Deadlines, Plan
from battlesnake_search.reader import decode
from battlesnake_search.searcher_client import SearchReply
from gateway.app import RESERVED_PATHS
from gateway.commands.serve import refusal_of
from gateway.console.address import ADMIN_REMEDY, AdminAddress
from gateway.routes import loading
from gateway.routes.config import Arm, Routes, SnakeRoute, Variant
from gateway.routes.strategy_check import (
    FAULTY,
    PATIENCE,
    STRATEGY_OPTION,
    Fault,
    Inspection,
    inspect_tried,
    source_of,
    targets_of,
)
from gateway.searchers.pool import SearcherPool
from gateway.searchers.service import SEARCHER_COMMAND
from gateway.settings import Settings
from gateway.store.database import OutcomesDatabase, file_of, in_a_line

_STARTUP = 15.0
"""Seconds for the embedded searcher to start, and then to load compiled code and find a move."""

_OUTCOMES_REMEDY = "Correct --outcomes or OUTCOMES_URL; none records nothing."

_NOT_DRAWN = ", but only if a request names it, because its weight is 0"

_PAUSE = 0.1
_DATABASE_TIMEOUT = 10.0

_TO_FILE = ("/bin/sh", "-c", 'LOG_FORMAT=text; export LOG_FORMAT; exec "$@" 2>> "$0"')
"""A command that runs the command in its other arguments and appends its log to the file in its first
argument."""


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


_DUEL = decode(b"""{
    "game": {"id": "check", "ruleset": {"name": "standard"}},
    "turn": 3,
    "board": {
        "width": 11, "height": 11, "food": [{"x": 5, "y": 5}],
        "snakes": [
            {"id": "west", "body": [{"x": 2, "y": 5}, {"x": 2, "y": 4}, {"x": 2, "y": 3}]},
            {"id": "east", "body": [{"x": 8, "y": 5}, {"x": 8, "y": 6}, {"x": 8, "y": 7}]}
        ]
    },
    "you": {"id": "west", "body": [{"x": 2, "y": 5}, {"x": 2, "y": 4}, {"x": 2, "y": 3}]}
}""")
"""A position that every search can play. It is a duel, because one of the searches plays nothing else."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a search for a move. If both texts are empty, the search found a move."""

    plan: Plan
    refusal: str = ""
    """The reason why the searcher finds no move."""
    delay: str = ""
    """The reason why the searcher finds no move yet: it is still compiling code for the plan."""
    is_invalid: bool = False
    """Whether the searcher calls the plan invalid."""


async def check(settings: Settings, command: Sequence[str] = SEARCHER_COMMAND) -> AsyncIterator[CheckResult]:
    """Check everything that a gateway with these settings needs, and yield the results.

    `command` starts the embedded searcher. An existing database is opened as the gateway opens it, so its
    schema is upgraded. A missing file is not created.
    """
    yield await _check_port(settings)
    if settings.admin:
        yield await _check_admin(settings.admin)
    yield await _check_outcomes(settings.outcomes)
    checked, routes = _check_routes(settings)
    yield checked
    with SocketFolder() as folder:
        errors = folder.path / "searcher.log"
        searcher_command = [*_TO_FILE, str(errors), *command]
        async with SearcherPool(settings.searcher, searcher_command, settings.credentials) as pool:
            await pool.open(targets_of(routes))
            for inspection in await _inspect_all(pool, routes):
                # Both may have to wait for an embedded searcher that compiles, so they wait at the same time.
                searcher, arms = await asyncio.gather(
                    _check_searcher(pool, inspection, settings, errors),
                    _check_arms(pool, routes, inspection, settings),
                )
                # With invalid routes, the arms are not those of the file.
                for result in (searcher, *(arms if checked.passed else ())):
                    yield result


async def _check_port(settings: Settings) -> CheckResult:
    if error := await _refusal(settings.host, settings.port):
        return CheckResult("port", *refusal_of(settings.host, settings.port, error))
    return CheckResult("port", f"{settings.host}, {_free(settings.port)}")


async def _check_admin(address: AdminAddress) -> CheckResult:
    error = await _refusal(address.host, address.port)
    if error and not address.is_chosen and error.errno == errno.EADDRINUSE:
        taken = f"port {address.port} is in use, so a free port takes its place"
        return CheckResult("admin", f"{address.host}, {taken}")
    if error:
        reason, _ = refusal_of(address.host, address.port, error)
        return CheckResult("admin", reason, ADMIN_REMEDY)
    return CheckResult("admin", f"{address.host}, {_free(address.port)}")


def _free(port: int) -> str:
    return f"port {port} is free" if port else "any free port"


async def _refusal(host: str, port: int) -> OSError | None:
    """Return the reason why a server can't listen on an address; None if it can."""
    try:
        server = await asyncio.get_running_loop().create_server(asyncio.Protocol, host, port)
    except OSError as error:
        return error
    server.close()
    return None


async def _check_outcomes(database: OutcomesDatabase) -> CheckResult:
    if not database.url:
        return CheckResult("outcomes", f"not recorded: {database.reason}")
    file = file_of(database.url)
    if file and not os.path.exists(file):
        return _check_new(file)
    # This needs the packages of the extra `outcomes`.
    from gateway.store.store import Store

    store = Store(database.url)
    try:
        async with store, asyncio.timeout(_DATABASE_TIMEOUT):
            await store.prepare()
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        return CheckResult("outcomes", f"{store.name} does not open: {in_a_line(error)}", _OUTCOMES_REMEDY)
    note = f", without {database.ignored}" if database.ignored else ""
    return CheckResult("outcomes", f"{store.name} opens{note}")


def _check_new(file: Path) -> CheckResult:
    """Check whether a gateway could create a file. Create nothing."""
    folder = next(each for each in file.parents if os.path.exists(each))
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        reason = f"{file} can't be created: {folder} is not a folder that you may write to"
        return CheckResult("outcomes", reason, _OUTCOMES_REMEDY)
    note = "" if folder == file.parent else f", in a new folder in {folder}"
    return CheckResult("outcomes", f"{file} will be created{note}")


def _check_routes(settings: Settings) -> tuple[CheckResult, Routes]:
    """Check the file. Return its routes or, if it is invalid, the routes of a gateway without a file."""
    file = settings.routes
    default = loading.load(None, settings.strategy, looks=settings.looks)
    if not file:
        return CheckResult("routes", f"no file: there is one snake, at {_shown(default.default)}"), default
    try:
        routes = loading.load(file, settings.strategy, RESERVED_PATHS, settings.looks)
    except OSError as error:
        remedy = "Give the path of a file that can be read with --routes or ROUTES_FILE."
        return CheckResult("routes", f"{file}: {error.strerror}", remedy), default
    except TomlError as error:
        remedy = "Correct the file: docs/routing.md explains every field."
        return CheckResult("routes", f"{file}: {error}", remedy), default
    paths = ", ".join(map(_shown, routes.snakes))
    return CheckResult("routes", f"{file} is valid; snakes: {paths}"), routes


def _shown(snake: SnakeRoute) -> str:
    return f"{snake.path} with a token" if snake.token else f"{snake.path} without a token"


async def _inspect_all(pool: SearcherPool, routes: Routes) -> list[Inspection]:
    targets = sorted(targets_of(routes))
    patience = {target: _STARTUP if pool.is_embedded(target) else PATIENCE for target in targets}
    looks = (inspect_tried(pool, routes, target, patience[target]) for target in targets)
    return await asyncio.gather(*looks)


async def _check_searcher(
    pool: SearcherPool, inspection: Inspection, settings: Settings, errors: Path
) -> CheckResult:
    is_embedded = pool.is_embedded(inspection.target)
    if inspection.trouble and is_embedded:
        reason = _last_line(errors) or inspection.trouble
        remedy = "`python -m searcher serve` shows the whole error."
        return CheckResult("searcher", f"{inspection.searcher} does not start: {reason}", remedy)
    if inspection.trouble:
        cause, remedy = await _explanation(inspection, pool[inspection.target].target, settings)
        return CheckResult("searcher", f"{inspection.searcher}: {cause}", remedy)
    trouble = await _trouble(pool, inspection.target, _STARTUP if is_embedded else 0)
    if trouble and not is_embedded:
        return CheckResult("searcher", trouble, "It may be compiling: its log shows the progress. Try again.")
    state = "compiles first: `python -m searcher warm` does it in advance" if trouble else "is serving"
    return CheckResult("searcher", f"{inspection.searcher} {state}; {_offer(inspection)}")


async def _explanation(inspection: Inspection, target: str, settings: Settings) -> tuple[str, str]:
    """Return the cause why the searcher at a target does not list its strategies, and the remedy."""
    credentials = settings.credentials or Credentials()
    if inspection.refuses_token:
        if credentials.metadata(target):
            return (
                "it refuses the token",
                "The searcher's log has the reason. Its operator can make another one.",
            )
        return "it requires a token", "Give a file with a token with --searcher-token."
    if inspection.is_unresolved:
        remedy = "Correct the name in --searcher, or in the field `searcher` of the arm."
        return "the name has no address", remedy
    if inspection.may_answer_later:
        found = await asyncio.to_thread(diagnose, target, credentials.certificates)
        return (found.cause, found.remedy) if found else (inspection.trouble, "Try again.")
    return inspection.trouble, (
        "Is it a searcher? It must implement ListStrategies of battlesnake.search.v1.SearchService."
    )


async def _trouble(pool: SearcherPool, target: str, patience: float) -> str:
    """Wait for the searcher; return the reason why it is not serving, empty if it is."""
    now = asyncio.get_running_loop().time
    deadline = now() + patience
    while (trouble := await pool[target].trouble()) and now() < deadline:
        await asyncio.sleep(_PAUSE)
    return trouble


def _offer(inspection: Inspection) -> str:
    assert inspection.listed is not None
    searches = ", ".join(search.name for search in inspection.listed.searches)
    evaluators = ", ".join(evaluator.name for evaluator in inspection.listed.evaluators)
    return f"searches: {searches}; evaluators: {evaluators}"


async def _check_arms(
    pool: SearcherPool, routes: Routes, inspection: Inspection, settings: Settings
) -> list[CheckResult]:
    """Check each arm and each shadow whose searcher has listed its strategies."""
    if inspection.trouble:
        return []
    return await asyncio.gather(
        *(
            _check_variant(pool, snake, variant, inspection, settings)
            for snake in routes.snakes
            for variant in (*snake.arms, *snake.shadows)
            if _plans(variant, inspection.target)
        )
    )


def _plans(variant: Variant, target: str) -> list[Plan]:
    """Return the plans of an arm or a shadow that use a searcher."""
    return [plan for plan in variant.plans() if target in plan.searchers]


async def _check_variant(
    pool: SearcherPool,
    snake: SnakeRoute,
    variant: Variant,
    inspection: Inspection,
    settings: Settings,
) -> CheckResult:
    """Check whether a searcher accepts the names of an arm or a shadow and, if so, finds moves for it."""
    kind = "arm" if isinstance(variant, Arm) else "shadow"
    name = f"{snake.path} {variant.name}"
    source = source_of(snake, settings.strategy, settings.looks, settings.routes)
    plans = _plans(variant, inspection.target)
    faults = [one for one in inspection.faults if (one.path, one.arm) == (snake.path, variant.name)]
    if faults:
        reasons = "; ".join(one.reason for one in faults)
        return CheckResult(kind, f"{name}: {reasons}", _fault_remedy(faults, source))
    patience = _STARTUP if pool.is_embedded(inspection.target) else PATIENCE
    trials = await try_plans(pool, plans, inspection.target, patience)
    if refused := [trial for trial in trials if trial.refusal]:
        return CheckResult(kind, f"{name}: {_refusals(refused)}", _refusal_remedy(refused, source))
    note = _NOT_DRAWN if isinstance(variant, Arm) and not variant.weight else ""
    played = f"{name} plays {_played(trials)} on {inspection.searcher}{_delay(trials)}{note}"
    return CheckResult(kind, played)


def _fault_remedy(faults: Iterable[Fault], source: str) -> str:
    for fault in faults:
        if fault.problem == FAULTY:
            return f"Correct the evaluator: `python -m searcher try {fault.name}` tries it again."
    return _correct(source)


def _correct(source: str) -> str:
    """Return the remedy for an error in a snake's source."""
    return f"Correct {source}{' or STRATEGY' if source == STRATEGY_OPTION else ''}."


def _refusals(refused: Iterable[Trial]) -> str:
    return "; ".join(f"{_strategy(trial.plan)}: {trial.refusal}" for trial in refused)


def _refusal_remedy(refused: Iterable[Trial], source: str) -> str:
    is_invalid = any(trial.is_invalid for trial in refused)
    return _correct(source) if is_invalid else "The log of the searcher shows more."


def _played(trials: Iterable[Trial]) -> str:
    return ", ".join(dict.fromkeys(_strategy(trial.plan) for trial in trials))


def _strategy(plan: Plan) -> str:
    return plan.strategy or "the default strategy"


def _delay(trials: Iterable[Trial]) -> str:
    """Return a note if the searcher finds no move yet."""
    delay = next((trial.delay for trial in trials if trial.delay), "")
    return f", which compiles first ({delay})" if delay else ""


def _last_line(file: Path) -> str:
    """Return the last line of a file; empty for an empty file."""
    return next((line for line in reversed(_lines(file)) if line.strip()), "")


def _lines(file: Path) -> list[str]:
    return file.read_text(errors="replace").split("\n") if file.exists() else []


async def try_plans(pool: SearcherPool, plans: Iterable[Plan], target: str, patience: float) -> list[Trial]:
    """Search for a move by each distinct plan on the searcher at a target. The searches run concurrently.

    While the searcher is compiling, a call is repeated for up to `patience` seconds. The pool must have
    opened the target.
    """
    distinct: list[Plan] = []
    for plan in (_shallow(plan, target) for plan in plans):
        if plan not in distinct:
            distinct.append(plan)
    return await asyncio.gather(*(_try(pool, plan, patience) for plan in distinct))


def _shallow(plan: Plan, target: str) -> Plan:
    """Return the plan for only the searcher at a target, with a depth of one turn as its only limit."""
    limits = msgspec.structs.replace(plan.limits, time=0, depth=1, nodes=0)
    return msgspec.structs.replace(plan, searchers=(target,), limits=limits)


async def _try(pool: SearcherPool, plan: Plan, patience: float) -> Trial:
    end = time.monotonic() + patience
    reply = await pool.search(_DUEL, plan, Deadlines(end, end))
    return Trial(plan) if reply.result is not None else _failed(plan, reply, patience)


def _failed(plan: Plan, reply: SearchReply, patience: float) -> Trial:
    # The last call may have been too short to be answered.
    answered = [one for one in reply.failures if one.code is not grpc.StatusCode.DEADLINE_EXCEEDED]
    if not answered:
        return Trial(plan, refusal=f"no move within {patience:g} s")
    code, reason = answered[-1].code, f"{answered[-1].code.name}: {answered[-1].details}"
    if code is grpc.StatusCode.UNAVAILABLE:
        return Trial(plan, delay=reason)
    return Trial(plan, refusal=reason, is_invalid=code is grpc.StatusCode.INVALID_ARGUMENT)
