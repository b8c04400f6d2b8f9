"""Checks with bodies that the recorded games lack, of older and newer engines.

A problem with the body of an older engine is a warning.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from copy import deepcopy
from typing import Any

from arena.compliance.exchanges import (
    Body,
    CheckResult,
    Endpoint,
    Request,
    converse_with,
    problems_of,
    recorded_game,
    result_of,
)

OPTIONAL = (
    "game.map",
    "game.source",
    "ruleset.version",
    "ruleset.settings",
    "snake.latency",
    "snake.shout",
    "snake.squad",
    "snake.customizations",
)
"""Fields that came with some version of the API, so that older engines may not send them."""

_UNKNOWN = {"unknownField": {"values": [1, None, "text"]}}
NULLABLE = (
    *OPTIONAL,
    "board.food",
    "board.hazards",
    "settings.royale",
    "settings.hazardDamagePerTurn",
)
"""Fields that some engines send as null if they do not use them."""

_Change = Callable[[Body, Collection[str]], Body]

_PHASES = ("start", "move-mid", "end")


async def check_tolerance(endpoint: Endpoint) -> list[CheckResult]:
    """Check the answers to unusual bodies."""
    return [
        await _unknown_fields(endpoint),
        await _missing_fields(endpoint),
        await _null_fields(endpoint),
    ]


def with_unknown_fields(value: Any) -> Any:
    """Return a copy of a JSON value with an unknown field in each of its objects."""
    if isinstance(value, dict):
        return {key: with_unknown_fields(inner) for key, inner in value.items()} | _UNKNOWN
    return [with_unknown_fields(inner) for inner in value] if isinstance(value, list) else value


def without(body: Body, fields: Collection[str]) -> Body:
    """Return a copy of a body without some of the NULLABLE fields."""
    body = deepcopy(body)
    for holder, field in _holders(body, fields):
        holder.pop(field, None)
    return body


def with_null(body: Body, fields: Collection[str]) -> Body:
    """Return a copy of a body in which some of the NULLABLE fields are null."""
    body = deepcopy(body)
    for holder, field in _holders(body, fields):
        holder[field] = None
    return body


def _holders(body: Body, fields: Collection[str]) -> list[tuple[Body, str]]:
    """Return each object of a body that has one of the fields, with the field's own name."""
    ruleset = body["game"]["ruleset"]
    holders = {
        "game": [body["game"]],
        "ruleset": [ruleset],
        "settings": [ruleset["settings"]],
        "board": [body["board"]],
        "snake": [*body["board"]["snakes"], body["you"]],
    }
    named = [name.split(".") for name in fields]
    return [(holder, field) for owner, field in named for holder in holders[owner]]


async def _unknown_fields(endpoint: Endpoint) -> CheckResult:
    requests = [_changed(request, with_unknown_fields(request.body)) for request in _usual(endpoint)]
    expected = "fields that the API doesn't know are ignored, in all objects"
    return result_of("unknown fields", expected, await _problems(endpoint, requests), "ignored")


async def _missing_fields(endpoint: Endpoint) -> CheckResult:
    expected = f"{', '.join(OPTIONAL)} may be missing"
    problems = await _needed(endpoint, OPTIONAL, without)
    return result_of("missing fields", expected, problems, "none of them is needed", "warn")


async def _null_fields(endpoint: Endpoint) -> CheckResult:
    expected = f"{', '.join(NULLABLE)} may be null"
    problems = await _needed(endpoint, NULLABLE, with_null)
    return result_of("null fields", expected, problems, "none of them is needed", "warn")


async def _needed(endpoint: Endpoint, names: Sequence[str], change: _Change) -> list[str]:
    """Return the problems with all of these fields changed. If one field alone causes a problem, name it."""
    problems = await _with(endpoint, names, change)
    if not problems:
        return []
    needed = [f"{name}: {wrong[0]}" for name in names if (wrong := await _with(endpoint, [name], change))]
    return needed or problems


async def _with(endpoint: Endpoint, names: Sequence[str], change: _Change) -> list[str]:
    requests = [_changed(request, change(request.body, names)) for request in _usual(endpoint)]
    return await _problems(endpoint, requests)


def _usual(endpoint: Endpoint) -> list[Request]:
    game = recorded_game("standard", endpoint.timeout)
    return [game[phase] for phase in _PHASES]


def _changed(request: Request, body: Body) -> Request:
    return Request(request.game, request.phase, body)


async def _problems(endpoint: Endpoint, requests: Iterable[Request]) -> list[str]:
    return problems_of(await converse_with(endpoint, requests))
