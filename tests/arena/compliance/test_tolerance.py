"""Unusual bodies."""

from copy import deepcopy
from typing import Any

import pytest
from aiohttp import web

from arena.compliance.exchanges import recorded_game
from arena.compliance.tolerance import (
    NULLABLE,
    OPTIONAL,
    check_tolerance,
    with_floats,
    with_null,
    with_unknown_fields,
    without,
)
from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from tests.arena.compliance.checking import passed, results
from tests.arena.outside_snake import Body, OutsideSnake


class _Strict(OutsideSnake):
    """Refuses bodies that it dislikes."""

    async def read(self, request: web.Request) -> Body:
        body = await super().read(request)
        if self.dislikes(body):
            raise web.HTTPBadRequest
        return body

    def dislikes(self, _body: Body) -> bool:
        raise NotImplementedError


class _NoUnknown(_Strict):
    def dislikes(self, body: Body) -> bool:
        return "unknownField" in body["you"]["body"][0]


class _AllNeeded(_Strict):
    def dislikes(self, body: Body) -> bool:
        return "source" not in body["game"] or "squad" not in body["you"]


class _NoStack(_Strict):
    def dislikes(self, body: Body) -> bool:
        cells = [(cell["x"], cell["y"]) for cell in body["board"]["hazards"] or ()]
        return len(cells) > len(set(cells))


class _NoBeyond(_Strict):
    def dislikes(self, body: Body) -> bool:
        return any(cell["x"] < 0 or cell["y"] > 10 for cell in body["board"]["hazards"] or ())


class _OnlyMarked(_Strict):
    def dislikes(self, body: Body) -> bool:
        return not body["game"]["id"].startswith(TEST_GAME_PREFIX)


class _AllTyped(_Strict):
    def dislikes(self, body: Body) -> bool:
        return body["game"].get("source", "") is None or body["board"]["hazards"] is None


class _TextLatency(_Strict):
    def dislikes(self, body: Body) -> bool:
        latencies = [snake.get("latency") for snake in body["board"]["snakes"] or ()]
        return any(isinstance(latency, int) for latency in latencies)


class _NoFloats(_Strict):
    def dislikes(self, body: Body) -> bool:
        return isinstance(body["turn"], float)


class _FoodOnce(_Strict):
    def dislikes(self, body: Body) -> bool:
        cells = [(cell["x"], cell["y"]) for cell in body["board"]["food"] or ()]
        return len(cells) > len(set(cells))


class _AtMostEight(_Strict):
    def dislikes(self, body: Body) -> bool:
        return len(body["board"]["snakes"] or ()) > 8


class _NoSnakes(_Strict):
    def dislikes(self, body: Body) -> bool:
        return body["board"]["snakes"] is None


class _SearchingItself(_Strict):
    def dislikes(self, body: Body) -> bool:
        snakes = body["board"]["snakes"]
        return bool(snakes) and body["you"]["id"] not in [snake["id"] for snake in snakes]


class _NoMark(OutsideSnake):
    async def read(self, request: web.Request) -> Body:
        if (await request.read()).startswith(b"\xef\xbb\xbf"):
            raise web.HTTPBadRequest
        return await super().read(request)


async def test_a_correct_snake_passes() -> None:
    """A snake that reads only what it needs accepts all of them."""
    assert passed(await results(check_tolerance, OutsideSnake()))


@pytest.mark.parametrize(
    ("snake", "name", "outcome"),
    [
        (_NoUnknown(), "unknown fields", "fail"),
        (_AllNeeded(), "missing fields", "warn"),
        (_NoStack(), "stacked hazards", "fail"),
        (_NoBeyond(), "hazards off the board", "fail"),
        (_OnlyMarked(), "game id", "fail"),
        (_AllTyped(), "null fields", "warn"),
        (_TextLatency(), "latencies", "warn"),
        (_NoFloats(), "numbers as floats", "warn"),
        (_FoodOnce(), "food twice", "warn"),
        (_AtMostEight(), "nine snakes", "warn"),
        (_NoSnakes(), "no snakes in /end", "warn"),
        (_SearchingItself(), "absent snake", "warn"),
        (_NoMark(), "byte order mark", "warn"),
    ],
)
async def test_a_strict_snake_fails(snake: OutsideSnake, name: str, outcome: str) -> None:
    """What a strict snake refuses fails under its own name, and nothing else does."""
    found = await results(check_tolerance, snake)
    assert found[name].outcome == outcome and "refused: HTTP status 400" in found[name].came
    assert {other for other, result in found.items() if result.outcome != "pass"} == {name}


async def test_fields_that_a_snake_needs_are_named() -> None:
    """The optional fields that a snake needs are named."""
    came = (await results(check_tolerance, _AllNeeded()))["missing fields"].came
    assert [name for name in OPTIONAL if f"{name}: " in came] == ["game.source", "snake.squad"]


def _objects(value: Any) -> list[dict[str, Any]]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [found for part in inner for found in _objects(part)] + (
        [value] if isinstance(value, dict) else []
    )


def test_every_object_gets_an_unknown_field() -> None:
    """Every object of the body gets an unknown field, and the original stays as it was."""
    body = recorded_game("royale", 500)["move-mid"].body
    changed = with_unknown_fields(body)
    known = [found for found in _objects(changed) if "values" not in found]
    assert len(known) == len(_objects(body)) and all("unknownField" in found for found in known)
    assert "unknownField" not in body


def test_only_numbers_become_floats() -> None:
    """Every number is a float, and truth values stay."""
    body = with_floats(recorded_game("standard", 500)["move-mid"].body)
    assert type(body["you"]["body"][0]["x"]) is float and type(body["turn"]) is float
    assert body["game"]["ruleset"]["settings"]["squad"]["sharedHealth"] is False
    assert body["you"]["latency"] == "0"


@pytest.mark.parametrize("name", NULLABLE)
def test_a_field_becomes_null(name: str) -> None:
    """A field becomes null, and the original stays as it was."""
    body = recorded_game("standard", 500)["move-mid"].body
    before = deepcopy(body)
    changed = with_null(body, [name])
    nulls = [found for found in _objects(changed) if name.partition(".")[2] in _nulls(found)]
    assert nulls and body == before


def _nulls(found: dict[str, Any]) -> list[str]:
    return [key for key, value in found.items() if value is None]


@pytest.mark.parametrize("name", OPTIONAL)
def test_a_field_is_taken_out_everywhere(name: str) -> None:
    """No object of a kind keeps a removed field; other fields stay."""
    body = recorded_game("standard", 500)["move-mid"].body
    owner, field = name.split(".")
    changed = without(body, [name])
    holders = {
        "game": [changed["game"]],
        "ruleset": [changed["game"]["ruleset"]],
        "snake": [*changed["board"]["snakes"], changed["you"]],
    }
    assert not any(field in holder for holder in holders[owner])
    assert (
        len(_objects(body)) - len(_objects(changed)) < 6 and changed["board"]["food"] == body["board"]["food"]
    )
