"""The trial of a plan: a search for one move with it on a small position."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

import grpc
import msgspec

from battlesnake_search.plan import Deadlines, Plan
from battlesnake_search.reader import decode
from battlesnake_search.searcher_client import SearchReply
from gateway.searchers.pool import SearcherPool

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
"""A position that every search can play: one of them plays only duels."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How a search for a move went. If both fields are empty, it found a move."""

    plan: Plan
    refusal: str = ""
    """Why the searcher finds no move."""
    delay: str = ""
    """Why it finds none yet: it compiles what the plan needs."""
    is_invalid: bool = False
    """Whether the searcher calls the plan invalid."""


async def try_plans(pool: SearcherPool, plans: Iterable[Plan], target: str, patience: float) -> list[Trial]:
    """Search for a move by each plan on the searcher at a target, all at once, and equal plans only once.

    A searcher that still compiles is asked again until `patience`, in seconds, is over. The target must be
    open.
    """
    distinct: list[Plan] = []
    for plan in (_shallow(plan, target) for plan in plans):
        if plan not in distinct:
            distinct.append(plan)
    return await asyncio.gather(*(_try(pool, plan, patience) for plan in distinct))


def _shallow(plan: Plan, target: str) -> Plan:
    """Return the plan for the searcher at a target alone, limited to one turn and nothing less."""
    limits = msgspec.structs.replace(plan.limits, time=0, depth=1, nodes=0)
    return msgspec.structs.replace(plan, searchers=(target,), limits=limits)


async def _try(pool: SearcherPool, plan: Plan, patience: float) -> Trial:
    end = asyncio.get_running_loop().time() + patience
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
