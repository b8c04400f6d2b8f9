"""Hot reload: when evaluators change, a second embedded searcher compiles them, and then takes over.

The former searcher plays until the new one has played a move by each plan of the routes. So a game notices
nothing, except for the moves of the new version. If an evaluator is faulty, the former version plays on.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec.structs import replace

from battlesnake_search import translate
from battlesnake_search.common.logs import get_logger
from battlesnake_search.plan import OWN, Deadlines, Plan
from battlesnake_search.reader import decode
from battlesnake_search.searcher_client import SearcherClient
from gateway.routes.config import Routes
from gateway.routes.reload import RoutesInForce
from gateway.routes.strategy_check import inspect_tried, targets_of
from gateway.searchers.pool import SearcherPool

log = get_logger(__name__)

_GROUP = "battlesnake.evaluators"
"""The entry point group of evaluators in other packages."""

_OWN_EVALUATORS = "searcher"
"""The package whose folder `evaluators` has the evaluators of this project."""

_PAUSE = 0.3
"""Seconds between two looks at the files. Two looks in a row must find the same files, so an editor that
writes several files has finished."""

_PATIENCE = 180.0
"""Seconds for a searcher to compile the code of all plans."""


def evaluator_folders() -> tuple[Path, ...]:
    """Return the folders with the code of evaluators: of this project, and of installed packages."""
    modules = {entry.module.partition(".")[0] for entry in entry_points(group=_GROUP)}
    ours = (folder / "evaluators" for folder in _folders_of(_OWN_EVALUATORS))
    return (*ours, *(folder for module in sorted(modules) for folder in _folders_of(module)))


def _folders_of(package: str) -> Iterator[Path]:
    """Yield the folders of a package, without importing it."""
    with suppress(ImportError, ValueError):
        spec = find_spec(package)
        yield from map(Path, (spec.submodule_search_locations if spec else None) or ())


@asynccontextmanager
async def watching(pool: SearcherPool, routes: RoutesInForce, folders: Sequence[Path]) -> AsyncIterator[None]:
    """Play each new version of the evaluators in these folders, until the block ends."""
    task = asyncio.create_task(_watch(pool, routes, folders))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _watch(pool: SearcherPool, routes: RoutesInForce, folders: Sequence[Path]) -> None:
    log.info("watching evaluators", folders=[str(folder) for folder in folders])
    played = stamp = _stamp(folders)
    if OWN in targets_of(routes.current):
        pool.version, _ = await _version(pool, pool[OWN], routes.current)
        if pool.version:
            log.info("evaluators play", version=pool.version)
    renewing: asyncio.Task[None] | None = None
    async with asyncio.TaskGroup() as group:
        while True:
            await asyncio.sleep(_PAUSE)
            before, stamp = stamp, _stamp(folders)
            if stamp == before != played and OWN in targets_of(routes.current):
                played = stamp
                if renewing is not None:
                    # The files have changed again, so the searcher of the former version is not needed.
                    renewing.cancel()
                    await asyncio.wait([renewing])
                renewing = group.create_task(_renew(pool, routes))


def _stamp(folders: Iterable[Path]) -> frozenset[tuple[str, int, int]]:
    """Return the names, times and sizes of the Python files in folders."""
    found = set()
    for file in (file for folder in folders for file in folder.rglob("*.py")):
        # An editor may replace the file at this moment.
        with suppress(OSError):
            status = file.stat()
            found.add((str(file), status.st_mtime_ns, status.st_size))
    return frozenset(found)


async def _renew(pool: SearcherPool, routes: RoutesInForce) -> None:
    """Let a new searcher take over if it plays all plans for the embedded searcher."""
    log.info("evaluators changed", effect="a new searcher compiles them, the former version plays on")
    try:
        async with pool.successor() as successor:
            version, refusal = await _version(pool, successor, routes.current)
            if refusal:
                log.error("evaluators not replaced", reason=refusal, effect="the former version plays on")
                return
            pool.hand_over()
    except Exception:
        log.exception("evaluators not replaced", effect="the former version plays on")
        return
    pool.version = version
    log.info("evaluators replaced", version=version)


async def _version(pool: SearcherPool, client: SearcherClient, routes: Routes) -> tuple[str, str]:
    """Return the played strategies with their digests, and the reason why a plan finds no move, if any.

    Wait until the searcher has tried the evaluators of the plans and compiled their code.
    """
    end = time.monotonic() + _PATIENCE
    inspection = await inspect_tried(pool, routes, OWN, _PATIENCE, client)
    if inspection.trouble or inspection.faults:
        return "", inspection.trouble or "; ".join(map(str, inspection.faults))
    versions: dict[str, None] = {}
    for plan in _plans(routes):
        searches = [translate.search_request(turn, plan) for turn in _TURNS]
        replies = [await client.search(search, Deadlines(end, end)) for search in searches]
        # One of the searches plays duels alone.
        found = [result for reply in replies if (result := translate.move_result(reply.result))]
        if not found:
            failures = [failure.details for reply in replies for failure in reply.failures]
            return "", f"{plan.strategy}: {failures[-1] if failures else 'no move'}"
        played = (result.strategy for result in found if result.strategy)
        versions.update((f"{strategy.name} {strategy.digest}", None) for strategy in played)
    return ", ".join(versions), ""


def _plans(routes: Routes) -> Iterable[Plan]:
    """Return the plans for the embedded searcher, with a depth of one turn as the only limit."""
    shallow = (
        replace(plan, arm="", searchers=(OWN,), limits=replace(plan.limits, time=0, depth=1, nodes=0))
        for plan in routes.plans()
        if OWN in plan.searchers
    )
    unique: list[Plan] = []
    for plan in shallow:
        if plan not in unique:
            unique.append(plan)
    return unique


def _turn(snakes: int) -> bytes:
    """Return the body of a request with two or four snakes."""
    bodies = [
        {"id": f"s{x}{y}", "health": 90, "body": [{"x": x, "y": y + part} for part in range(3)]}
        for x, y in ((2, 5), (8, 5), (2, 1), (8, 1))[:snakes]
    ]
    board = {"width": 11, "height": 11, "food": [{"x": 5, "y": 5}], "snakes": bodies}
    game = {"id": "renewal", "ruleset": {"name": "standard"}}
    return msgspec.json.encode({"game": game, "turn": 3, "board": board, "you": bodies[0]})


_TURNS = tuple(decode(_turn(snakes)) for snakes in (2, 4))
"""Positions in the shapes of most games. The code for other shapes is compiled when a game needs it."""
