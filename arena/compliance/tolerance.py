"""Sends what the recorded games don't hold, but an engine may: more fields, fewer fields, odd hazards."""

from collections.abc import Collection, Iterable
from copy import deepcopy
from typing import Any

from arena.compliance.caller import Endpoint
from arena.compliance.exchanges import converse, problems_of
from arena.compliance.requests import Body, Request, recorded_game
from arena.compliance.results import CheckResult, result_of

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
"""Fields that came with some version of the API, so that other engines may not send them."""

_UNKNOWN = {"unknownField": {"values": [1, None, "text"]}}
_PHASES = ("start", "move-mid", "end")


async def check_tolerance(endpoint: Endpoint) -> list[CheckResult]:
    """Checks the answers to unusual bodies."""
    board = recorded_game("standard", endpoint.timeout)["start"].body["board"]
    return [
        await _unknown_fields(endpoint),
        await _missing_fields(endpoint),
        await _hazards(endpoint, "stacked hazards", "three layers of hazard on a cell", _stacked(board)),
        await _hazards(endpoint, "hazards off the board", "hazards off the board", _beyond(board)),
    ]


def with_unknown_fields(value: Any) -> Any:
    """A copy of a JSON value with one more field in each of its objects."""
    if isinstance(value, dict):
        return {key: with_unknown_fields(inner) for key, inner in value.items()} | _UNKNOWN
    return [with_unknown_fields(inner) for inner in value] if isinstance(value, list) else value


def without(body: Body, fields: Collection[str]) -> Body:
    """A copy of a body without some of the OPTIONAL fields."""
    body = deepcopy(body)
    owners = {
        "game": [body["game"]],
        "ruleset": [body["game"]["ruleset"]],
        "snake": [*body["board"]["snakes"], body["you"]],
    }
    for owner, field in (name.split(".") for name in fields):
        for holder in owners[owner]:
            holder.pop(field, None)
    return body


async def _unknown_fields(endpoint: Endpoint) -> CheckResult:
    requests = [_changed(request, with_unknown_fields(request.body)) for request in _usual(endpoint)]
    expected = "fields that the API doesn't know are ignored, in all objects"
    return result_of("unknown fields", expected, await _problems(endpoint, requests), "ignored")


async def _missing_fields(endpoint: Endpoint) -> CheckResult:
    """All at once; if that fails, one by one, to name the culprits. The official engine always sends them."""
    problems = await _without(endpoint, OPTIONAL)
    if problems:
        culprits = [f"{name}: {wrong[0]}" for name in OPTIONAL if (wrong := await _without(endpoint, [name]))]
        problems = culprits or problems
    expected = f"{', '.join(OPTIONAL)} may be missing"
    return result_of("missing fields", expected, problems, "none of them is needed", "warn")


async def _without(endpoint: Endpoint, fields: Collection[str]) -> list[str]:
    requests = [_changed(request, without(request.body, fields)) for request in _usual(endpoint)]
    return await _problems(endpoint, requests)


async def _hazards(endpoint: Endpoint, name: str, what: str, cells: list[dict[str, int]]) -> CheckResult:
    requests = _usual(endpoint)
    for request in requests:
        request.body["board"]["hazards"] = cells
    return result_of(
        name, f"bodies with {what} get right answers", await _problems(endpoint, requests), "they do"
    )


def _stacked(board: Body) -> list[dict[str, int]]:
    return [{"x": board["width"] // 2, "y": board["height"] // 2}] * 3


def _beyond(board: Body) -> list[dict[str, int]]:
    """Far above it, where the map snail_mode keeps notes of its own, and beyond each edge."""
    width, height = board["width"], board["height"]
    return [{"x": 3, "y": height + 5}, {"x": width, "y": 3}, {"x": -1, "y": 3}, {"x": 3, "y": -1}]


def _usual(endpoint: Endpoint) -> list[Request]:
    game = recorded_game("standard", endpoint.timeout)
    return [game[phase] for phase in _PHASES]


def _changed(request: Request, body: Body) -> Request:
    return Request(request.game, request.phase, body)


async def _problems(endpoint: Endpoint, requests: Iterable[Request]) -> list[str]:
    async with endpoint.caller() as caller:
        return problems_of(await converse(caller, requests))
