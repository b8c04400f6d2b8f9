"""Checks with valid bodies that the recorded games lack: other fields, unusual hazards, real ids."""

from collections.abc import Collection, Iterable
from copy import deepcopy
from typing import Any
from uuid import uuid4

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
"""Fields that some version of the API introduced, so that other engines may not send them."""

_UNKNOWN = {"unknownField": {"values": [1, None, "text"]}}
_PHASES = ("start", "move-mid", "end")


async def check_tolerance(endpoint: Endpoint) -> list[CheckResult]:
    """Check the answers to unusual bodies."""
    board = recorded_game("standard", endpoint.timeout)["start"].body["board"]
    return [
        await _unknown_fields(endpoint),
        await _missing_fields(endpoint),
        await _hazards(endpoint, "stacked hazards", "three layers of hazard on a cell", _stacked(board)),
        await _hazards(endpoint, "hazards off the board", "hazards off the board", _beyond(board)),
        await _real_game_id(endpoint),
    ]


def with_unknown_fields(value: Any) -> Any:
    """Return a copy of a JSON value with an unknown field in each of its objects."""
    if isinstance(value, dict):
        return {key: with_unknown_fields(inner) for key, inner in value.items()} | _UNKNOWN
    return [with_unknown_fields(inner) for inner in value] if isinstance(value, list) else value


def without(body: Body, fields: Collection[str]) -> Body:
    """Return a copy of a body without some of the OPTIONAL fields."""
    body = deepcopy(body)
    holders = {
        "game": [body["game"]],
        "ruleset": [body["game"]["ruleset"]],
        "snake": [*body["board"]["snakes"], body["you"]],
    }
    for owner, field in (name.split(".") for name in fields):
        for holder in holders[owner]:
            holder.pop(field, None)
    return body


async def _unknown_fields(endpoint: Endpoint) -> CheckResult:
    requests = [_changed(request, with_unknown_fields(request.body)) for request in _usual(endpoint)]
    expected = "fields that the API doesn't know are ignored, in all objects"
    return result_of("unknown fields", expected, await _problems(endpoint, requests), "ignored")


async def _missing_fields(endpoint: Endpoint) -> CheckResult:
    """Check without any optional field; if that fails, check without each, to name those that are needed.

    A problem is a warning, since the official engine always sends these fields.
    """
    problems = await _without(endpoint, OPTIONAL)
    if problems:
        needed = [f"{name}: {wrong[0]}" for name in OPTIONAL if (wrong := await _without(endpoint, [name]))]
        problems = needed or problems
    expected = f"{', '.join(OPTIONAL)} may be missing"
    return result_of("missing fields", expected, problems, "none of them is needed", "warn")


async def _without(endpoint: Endpoint, fields: Collection[str]) -> list[str]:
    requests = [_changed(request, without(request.body, fields)) for request in _usual(endpoint)]
    return await _problems(endpoint, requests)


async def _hazards(endpoint: Endpoint, name: str, content: str, cells: list[dict[str, int]]) -> CheckResult:
    requests = _usual(endpoint)
    for request in requests:
        request.body["board"]["hazards"] = cells
    return result_of(
        name,
        f"bodies with {content} get correct answers",
        await _problems(endpoint, requests),
        "all answers are correct",
    )


async def _real_game_id(endpoint: Endpoint) -> CheckResult:
    """Check a /move of a game whose id has no mark, as the official engine sends it.

    There is no /start and no /end, so the game leaves nothing in the snake's statistics.
    """
    move = recorded_game("standard", endpoint.timeout)["move-mid"]
    move.body["game"]["id"] = str(uuid4())
    expected = "a game whose id is a UUID, like the official engine's, gets a correct answer"
    return result_of("game id", expected, await _problems(endpoint, [move]), "a correct answer")


def _stacked(board: Body) -> list[dict[str, int]]:
    return [{"x": board["width"] // 2, "y": board["height"] // 2}] * 3


def _beyond(board: Body) -> list[dict[str, int]]:
    """Return cells beyond each edge, one of them far above, where the map snail_mode stores its state."""
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
