"""Sends what the recorded games don't hold, but an engine may: more fields, fewer fields, odd hazards."""

from collections.abc import Collection, Iterable
from copy import deepcopy
from typing import Any

from arena.compliance.caller import Target
from arena.compliance.exchanges import converse, problems_of
from arena.compliance.requests import Body, Request, recorded_game
from arena.compliance.verdicts import Verdict, judge

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


async def check_tolerance(target: Target) -> list[Verdict]:
    """Checks the answers to unusual bodies."""
    board = recorded_game("standard", target.timeout)["start"].body["board"]
    return [
        await _unknown_fields(target),
        await _missing_fields(target),
        await _hazards(target, "stacked hazards", "three layers of hazard on a cell", _stacked(board)),
        await _hazards(target, "hazards off the board", "hazards off the board", _beyond(board)),
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


async def _unknown_fields(target: Target) -> Verdict:
    requests = [_changed(request, with_unknown_fields(request.body)) for request in _usual(target)]
    expected = "fields that the API doesn't know are ignored, in all objects"
    return judge("unknown fields", expected, await _problems(target, requests), "ignored")


async def _missing_fields(target: Target) -> Verdict:
    """All at once; if that fails, one by one, to name the culprits. The official engine always sends them."""
    problems = await _without(target, OPTIONAL)
    if problems:
        culprits = [f"{name}: {wrong[0]}" for name in OPTIONAL if (wrong := await _without(target, [name]))]
        problems = culprits or problems
    expected = f"{', '.join(OPTIONAL)} may be missing"
    return judge("missing fields", expected, problems, "none of them is needed", "warn")


async def _without(target: Target, fields: Collection[str]) -> list[str]:
    requests = [_changed(request, without(request.body, fields)) for request in _usual(target)]
    return await _problems(target, requests)


async def _hazards(target: Target, name: str, what: str, cells: list[dict[str, int]]) -> Verdict:
    requests = _usual(target)
    for request in requests:
        request.body["board"]["hazards"] = cells
    return judge(name, f"bodies with {what} get right answers", await _problems(target, requests), "they do")


def _stacked(board: Body) -> list[dict[str, int]]:
    return [{"x": board["width"] // 2, "y": board["height"] // 2}] * 3


def _beyond(board: Body) -> list[dict[str, int]]:
    """Far above it, where the map snail_mode keeps notes of its own, and beyond each edge."""
    width, height = board["width"], board["height"]
    return [{"x": 3, "y": height + 5}, {"x": width, "y": 3}, {"x": -1, "y": 3}, {"x": 3, "y": -1}]


def _usual(target: Target) -> list[Request]:
    game = recorded_game("standard", target.timeout)
    return [game[phase] for phase in _PHASES]


def _changed(request: Request, body: Body) -> Request:
    return Request(request.game, request.phase, body)


async def _problems(target: Target, requests: Iterable[Request]) -> list[str]:
    async with target.caller() as caller:
        return problems_of(await converse(caller, requests))
