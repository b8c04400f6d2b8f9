"""The check of routes against their searchers: whether each searcher answers and lists the arms' names."""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

import grpc
import grpc.aio

from battlesnake_search.common.cli import nearest
from battlesnake_search.contract import search_pb2
from battlesnake_search.plan import AUTO, Plan
from battlesnake_search.searcher_client import SearcherClient, reason_of
from gateway.routes.config import Arm, Routes, default_snake
from gateway.routes.looks import Looks
from gateway.searchers.pool import SearcherPool

PATIENCE = 3.0
"""Seconds to wait for the answer of a searcher that should be running."""

FAULTY = "faulty evaluator"
"""The problem of an evaluator that the searcher has tried."""

_UNKNOWN_EVALUATOR = "unknown evaluator"
INSTALL = "to add one, install its package where the searcher runs with `pip install --editable FOLDER`"

_RETRYABLE = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
_TOKEN_REFUSED = frozenset({grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED})
_PAUSE = 0.1
_LONG_PAUSE = 2.0
"""Seconds between two attempts: the first while a caller waits for the answer, the second in the
background."""

_TRIAL_PATIENCE = 180.0
"""Seconds for trials, because a searcher first compiles the default strategy."""

_SHORTEST_CALL = 1.0
_LONGEST_CALL = 5.0
"""The least and the most seconds after which an attempt has failed."""

_UNRESOLVED = ("errors resolving", "DNS resolution failed", "target uri is not valid")
"""Parts of gRPC's error details for a target whose name has no address, because gRPC has no code for it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A name or a weight of an arm, or of a shadow, that its searcher refuses. `valid` has valid values."""

    path: str
    """The path of the arm's snake."""
    arm: str
    problem: str
    name: str
    valid: tuple[str, ...]
    is_played: bool
    """False for a shadow."""
    detail: str = ""
    """The reason why a known evaluator can't play, now or ever. Empty for a wrong name or weight."""

    @property
    def reason(self) -> str:
        """The problem, and the valid values or the reason."""
        if self.detail:
            return f"{self.problem} {self.name}: {self.detail}"
        text = f"{self.problem} {self.name!r}; valid: {', '.join(self.valid) or 'none'}"
        if near := nearest(self.name, self.valid):
            return f"{text}; nearest: {near}"
        return f"{text}; {INSTALL}" if self.problem == _UNKNOWN_EVALUATOR else text

    def __str__(self) -> str:
        return f"{self.path}, {'arm' if self.is_played else 'shadow'} {self.arm}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Inspection:
    """A searcher's answer. The searcher's name is `target` in plans, and `searcher` in messages.

    If the list of strategies is missing, `trouble` is the reason. Otherwise `trouble` is empty.
    """

    target: str
    searcher: str
    trouble: str = ""
    may_answer_later: bool = False
    refuses_token: bool = False
    """Whether the searcher refuses the gateway's token."""
    is_unresolved: bool = False
    """Whether the target's name has no address."""
    listed: search_pb2.ListStrategiesResponse | None = None
    faults: tuple[Fault, ...] = ()
    on_trial: tuple[Fault, ...] = ()
    """The arms and shadows that can't play yet, because their evaluator's trial has not ended."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A plan for a searcher, of an arm or a shadow of the snake at a path."""

    path: str
    plan: Plan
    is_played: bool


def targets_of(routes: Routes) -> set[str]:
    """Return the targets that the routes name."""
    return {target for plan in routes.plans() for target in plan.searchers}


async def inspect_all(pool: SearcherPool, routes: Routes, patience: float) -> list[Inspection]:
    """Inspect every searcher of the routes, concurrently."""
    targets = sorted(targets_of(routes))
    return await asyncio.gather(*(inspect(pool, routes, target, patience) for target in targets))


async def inspect(
    pool: SearcherPool,
    routes: Routes,
    target: str,
    patience: float = inf,
    client: SearcherClient | None = None,
) -> Inspection:
    """Request a searcher's strategies, and compare them with the routes' plans for it.

    Without an answer, the call is repeated for up to `patience` seconds. With 0 there is one call. The pool
    must have opened the target. `client` calls a searcher that may take the target's place.
    """
    answer = await _list_strategies(client or pool[target], patience)
    name = pool.describe(target)
    if isinstance(answer, search_pb2.ListStrategiesResponse):
        uses = list(_uses(routes, target))
        on_trial = dict.fromkeys(fault for use in uses if (fault := _on_trial(use, answer)))
        faults = dict.fromkeys(fault for use in uses for fault in _faults(use, answer))
        return Inspection(target, name, listed=answer, faults=tuple(faults), on_trial=tuple(on_trial))
    details = answer.details() or ""
    return Inspection(
        target,
        name,
        trouble=f"{answer.code().name}: {reason_of(answer)}",
        may_answer_later=answer.code() in _RETRYABLE,
        refuses_token=answer.code() in _TOKEN_REFUSED,
        is_unresolved=any(text in details for text in _UNRESOLVED),
    )


async def inspect_tried(
    pool: SearcherPool,
    routes: Routes,
    target: str,
    patience: float = inf,
    client: SearcherClient | None = None,
) -> Inspection:
    """Inspect a searcher, and wait until the trials of all evaluators of the plans have ended."""
    now = asyncio.get_running_loop().time
    end = now() + _TRIAL_PATIENCE
    while (inspection := await inspect(pool, routes, target, patience, client)).on_trial and now() < end:
        await asyncio.sleep(_PAUSE)
    return inspection


def explain(
    fault: Fault, routes: Routes, strategy: str, looks: Looks | None, file: Path | None
) -> tuple[str, str]:
    """Return the source of a fault's snake, and the reason, with the arm if the source is the file."""
    snake = routes.snake(fault.path) or routes.default
    if snake == default_snake(strategy, looks):
        return "--strategy", fault.reason
    return str(file), str(fault)


def reflex_snakes(routes: Routes, inspections: Collection[Inspection]) -> list[str]:
    """Return the paths of the snakes that only play reflexes.

    Each of their drawn arms has a fault, an evaluator on trial, or a plan whose searchers all refuse the
    gateway's token.
    """
    on_trial = {(fault.path, fault.arm) for one in inspections for fault in one.on_trial}
    lost = on_trial | _lost_arms(routes, inspections)
    return [
        snake.path for snake in routes.snakes if all((snake.path, arm.name) in lost for arm in snake.drawn)
    ]


def unsearched_arms(
    routes: Routes, inspections: Collection[Inspection], silent: Mapping[str, str]
) -> list[str]:
    """Return a sentence for each arm of an experiment that plays reflexes.

    Such an arm is refused by a searcher, or all searchers of one of its plans are silent. `silent` has the
    reasons by target.
    Reflexes would make such an arm seem worse than the others. A snake with one drawn arm has no experiment.
    """
    lost, found = _lost_arms(routes, inspections), []
    for snake in routes.snakes:
        for arm in snake.drawn if len(snake.drawn) > 1 else ():
            plans = [plan for plan in arm.plans() if silent.keys() >= set(plan.searchers)]
            if plans:
                found.append(f"{snake.path}, arm {arm.name} is not searched: {silent[plans[0].searchers[0]]}")
            elif (snake.path, arm.name) in lost:
                found.append(f"{snake.path}, arm {arm.name} is not searched")
    return found


def _lost_arms(routes: Routes, inspections: Collection[Inspection]) -> set[tuple[str, str]]:
    """Return the paths and names of lost arms.

    A searcher finds such an arm faulty, or all searchers of one of its plans refuse the token.
    """
    lost = {(fault.path, fault.arm) for one in inspections for fault in one.faults}
    refusing = {inspection.target for inspection in inspections if inspection.refuses_token}
    for snake in routes.snakes:
        for arm in snake.arms:
            if any(refusing.issuperset(plan.searchers) for plan in arm.plans()):
                lost.add((snake.path, arm.name))
    return lost


async def _list_strategies(
    searcher: SearcherClient, patience: float
) -> search_pb2.ListStrategiesResponse | grpc.aio.AioRpcError:
    """Return the searcher's strategies or, without a list in time, its last error."""
    now = asyncio.get_running_loop().time
    deadline = now() + patience
    pause = _LONG_PAUSE if patience == inf else _PAUSE
    while True:
        try:
            left = deadline - now()
            return await searcher.list_strategies(min(max(left, _SHORTEST_CALL), _LONGEST_CALL))
        except grpc.aio.AioRpcError as error:
            if error.code() not in _RETRYABLE or now() + pause >= deadline:
                return error
        await asyncio.sleep(pause)


def _uses(routes: Routes, target: str) -> Iterator[_Use]:
    for snake in routes.snakes:
        for variant in (*snake.arms, *snake.shadows):
            for plan in variant.plans():
                if target in plan.searchers:
                    yield _Use(snake.path, plan, isinstance(variant, Arm))


def _faults(use: _Use, listed: search_pb2.ListStrategiesResponse) -> Iterator[Fault]:
    """Yield a fault for each name and weight of a plan that the searcher refuses."""
    default = listed.default_strategy
    search, _, evaluator = use.plan.strategy.partition("/")
    searches = tuple(sorted(info.name for info in listed.searches))
    weights = {info.name: {weight.name: weight for weight in info.weights} for info in listed.evaluators}
    faulty = {info.name: info.reason for info in listed.faulty_evaluators}
    evaluator = evaluator or default.evaluator

    def fault(problem: str, name: str, valid: Collection[str]) -> Fault:
        return Fault(use.path, use.plan.arm, problem, name, tuple(sorted(valid)), use.is_played)

    if (search or default.search) not in searches and not (search == AUTO and listed.auto_strategies):
        yield fault("unknown search", search, searches)
    if evaluator in faulty:
        yield replace(fault(FAULTY, evaluator, ()), detail=faulty[evaluator])
        return
    if evaluator not in weights:
        yield fault(_UNKNOWN_EVALUATOR, evaluator, weights)
        return
    for name, value in use.plan.evaluator_weights.items():
        weight = weights[evaluator].get(name)
        if weight is None:
            yield fault("unknown weight", name, weights[evaluator])
        elif not weight.minimum <= value <= weight.maximum and weight.minimum < weight.maximum:
            yield fault(
                "weight out of bounds", f"{name} = {value:g}", [f"{weight.minimum:g} to {weight.maximum:g}"]
            )


def _on_trial(use: _Use, listed: search_pb2.ListStrategiesResponse) -> Fault | None:
    """Return the evaluator of a plan as a fault if its trial has not ended."""
    evaluator = use.plan.strategy.partition("/")[2]
    if evaluator not in listed.evaluators_on_trial:
        return None
    return Fault(use.path, use.plan.arm, "evaluator", evaluator, (), use.is_played, "still on trial")
