"""Checks with bodies that the recorded games lack, of older and newer engines.

A problem with the body of an older engine is a warning.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import msgspec

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

_Change = Callable[[Body, str], object]
"""Changes a field of an object of a body."""

_PHASES = ("start", "move-mid", "end")


async def check_tolerance(endpoint: Endpoint) -> list[CheckResult]:
    """Check the answers to unusual bodies."""
    return [
        await _unknown_fields(endpoint),
        await _optional_fields(endpoint, "missing", OPTIONAL, lambda owner, field: owner.pop(field, None)),
        await _optional_fields(endpoint, "null", NULLABLE, lambda owner, field: owner.update({field: None})),
    ]


def with_unknown_fields(value: Any) -> Any:
    """Return a copy of a JSON value with an unknown field in each of its objects."""
    if isinstance(value, dict):
        return {key: with_unknown_fields(inner) for key, inner in value.items()} | _UNKNOWN
    return [with_unknown_fields(inner) for inner in value] if isinstance(value, list) else value


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
    requests = [
        msgspec.structs.replace(request, body=with_unknown_fields(request.body))
        for request in _usual(endpoint)
    ]
    expected = "fields that the API doesn't know are ignored, in all objects"
    problems = problems_of(await converse_with(endpoint, requests))
    return result_of("unknown fields", expected, problems, "ignored")


async def _optional_fields(
    endpoint: Endpoint, word: str, names: Sequence[str], change: _Change
) -> CheckResult:
    """Check bodies with all of these fields changed. If one field alone causes a problem, name it."""
    problems = await _problems_with(endpoint, names, change)
    if problems:
        each = {name: await _problems_with(endpoint, [name], change) for name in names}
        problems = [f"{name}: {wrong[0]}" for name, wrong in each.items() if wrong] or problems
    expected = f"{', '.join(names)} may be {word}"
    return result_of(f"{word} fields", expected, problems, "none of them is needed", "warn")


async def _problems_with(endpoint: Endpoint, names: Sequence[str], change: _Change) -> list[str]:
    requests = _usual(endpoint)
    for request in requests:
        for holder, field in _holders(request.body, names):
            change(holder, field)
    return problems_of(await converse_with(endpoint, requests))


def _usual(endpoint: Endpoint) -> list[Request]:
    """Return new copies of some usual requests."""
    game = recorded_game("standard", endpoint.timeout)
    return [game[phase] for phase in _PHASES]
