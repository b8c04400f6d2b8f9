"""Bodies and courses that engines, tools and people have sent to other snakes.

Each case is a file of tests/fixtures/oddities with its requests and with the right behaviour (`expected`).
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from copy import deepcopy
from pathlib import Path
from statistics import fmean
from typing import Any
from uuid import uuid4

import aiohttp
import pytest

from tests.gateway.odd_games import STEPS, Body, Engine, other_than, report, step
from tests.support import admin
from tests.support.watched import TIMEOUT, Watched, assert_searched, watched_gateway

CASES = Path(__file__).parents[1] / "fixtures" / "oddities"

NULL_PATHS: list[str] = json.loads((CASES / "07-null-instead-of-missing.json").read_text())["null_paths"]


def case(number: int) -> Body:
    """Return a case by its number."""
    [file] = CASES.glob(f"{number:02}-*.json")
    found: Body = json.loads(file.read_text())
    return found


def body_of(number: int, request: int = 0) -> Body:
    """Return the body of a case's request, with a separate game."""
    body: Body = case(number)["requests"][request]["body"]
    body["game"] |= {"id": str(uuid4()), "timeout": TIMEOUT}
    return body


@pytest.fixture(scope="module")
def gateway(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Yield a gateway with snakes at / and /snake that plays all games of this module."""
    with watched_gateway(tmp_path_factory.mktemp("gateway")) as watched:
        yield watched


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    """Yield an HTTP session."""
    async with aiohttp.ClientSession() as opened:
        yield opened


@pytest.fixture
def engine(gateway: Watched, session: aiohttp.ClientSession) -> Engine:
    """Return an engine."""
    return Engine(gateway, session)


async def test_01_corpses_on_the_board_change_nothing(engine: Engine) -> None:
    """A body with three dead snakes is searched, with the same move as without them."""
    assert await engine.searched_move(body_of(1, 0)) == await engine.searched_move(body_of(1, 1))


async def test_01_corpses_may_appear_within_a_game(engine: Engine) -> None:
    """Both bodies of the same turn of one game have searched moves that agree."""
    first, second = body_of(1, 0), body_of(1, 1)
    second["game"]["id"] = first["game"]["id"]
    assert await engine.searched_move(first) == await engine.searched_move(second)


@pytest.mark.parametrize(("you", "result", "place"), [("me", "win", 1), ("o", "loss", 2)])
async def test_02_an_end_that_lists_the_dead_has_a_winner(
    engine: Engine, you: str, result: str, place: int
) -> None:
    """The snake off the board has lost, for any recipient of the /end, and the console shows the winner."""
    game = str(uuid4())
    for request in case(2)["requests"]:
        body = request["body"]
        body["game"] |= {"id": game, "timeout": TIMEOUT}
        body["you"] = next(one for one in body["board"]["snakes"] if one["id"] == you)
        await engine.post(request["path"].strip("/"), body)
    row = await engine.outcome(body)
    assert (row.result, row.place) == (result, place)
    async with engine.session.get(
        f"{engine.gateway.console}/api/games/{game}", headers=admin.HEADERS
    ) as answer:
        shown = await answer.json()
    assert shown["snakes"][shown["result"]["winner"]]["id"] == "me"


@pytest.mark.parametrize("latency", ["0", "", "timeout", "200ms", "2e2", "200.4"])
async def test_04_the_head_tells_a_late_answer(engine: Engine, latency: str) -> None:
    """Ten answers that were not played count as late, whatever latency is reported, and shrink the budget."""
    body = body_of(4)
    for _ in range(10):
        move = await engine.move(body)
        step(body, "me", other_than(body, move))
        step(body, "o", "up" if body["turn"] % 4 < 2 else "left")
        report(body, latency)
        body["turn"] += 1
    await engine.move(body)
    step(body, "me", other_than(body, ""))
    body["turn"] += 1
    await engine.post("end", body)
    row = await engine.outcome(body)
    assert row.timeouts is not None and row.timeouts >= 10
    budgets = [move["budget_ms"] for move in engine.gateway.entries("move", {body["game"]["id"]})]
    assert budgets[-1] < budgets[0]


@pytest.mark.parametrize("request_", [0, 1])
async def test_05_a_latency_may_be_a_number_or_null(engine: Engine, request_: int) -> None:
    """A latency is never worth refusing a position."""
    await engine.searched_move(body_of(5, request_))


def holder(body: Body, path: str) -> tuple[Any, str]:
    """Return the object that a path of fields leads to, and the last field."""
    *way, last = path.split(".")
    value: Any = body
    for field in way:
        value = value[int(field)] if isinstance(value, list) else value[field]
    return value, last


@pytest.mark.parametrize("path", NULL_PATHS)
async def test_07_null_is_as_good_as_missing(engine: Engine, path: str) -> None:
    """A field that the move does not need may be null or missing."""
    body = body_of(7)
    inner, field = holder(body, path)
    inner[field] = None
    await engine.searched_move(body)
    body["game"]["id"] = str(uuid4())
    del inner[field]
    await engine.searched_move(body)


async def test_07_numbers_may_be_floats(engine: Engine) -> None:
    """The time-out and the health may be written as floats."""
    body = body_of(7)
    body["game"]["timeout"] = float(TIMEOUT)
    for snake in [*body["board"]["snakes"], body["you"]]:
        snake["health"] = 90.0
    await engine.searched_move(body)


async def test_09_an_eliminated_snake_gets_answers_without_searches(engine: Engine) -> None:
    """Thirty moves for a dead snake cost no search and no failure. The outcome is from its death."""
    dead = body_of(9)
    alive = deepcopy(dead)
    me = {"body": [{"x": 5, "y": y} for y in (8, 7, 6)], "head": {"x": 5, "y": 8}}
    alive["you"] |= me
    alive["board"]["snakes"].append(deepcopy(alive["you"]))
    for turn in (38, 39, 40):
        alive["turn"] = turn
        await engine.move(alive)
        for id_ in ("me", "p", "q"):
            step(alive, id_, "up")
    refused, before = engine.gateway.refused(), engine.gateway.entries("move", {dead["game"]["id"]})
    for turn in range(41, 71):
        dead["turn"] = turn
        await engine.move(dead)
    after = engine.gateway.entries("move", {dead["game"]["id"]})[len(before) :]
    assert {move["source"] for move in after} <= {"reflex"}
    assert all(move["elapsed_ms"] < TIMEOUT / 2 and "last_failure" not in move for move in after)
    assert engine.gateway.refused() == refused

    dead["turn"] = 71
    dead["board"]["snakes"] = dead["board"]["snakes"][:1]
    await engine.post("end", dead)
    row = await engine.outcome(dead)
    assert (row.moves, row.result, row.place) == (3, "loss", 3)
    assert row.mean_depth == pytest.approx(fmean(move["depth"] for move in before if "depth" in move))


@pytest.mark.parametrize("name", ["wrapped-constrictor", "WRAPPED", "wrapped-royale"])
async def test_10_bodies_across_the_seam_are_searched(engine: Engine, name: str) -> None:
    """Other spellings of wrapped rules are wrapped rules."""
    body = body_of(10)
    body["game"]["ruleset"]["name"] = name
    await engine.searched_move(body)


async def test_10_the_case_of_a_ruleset_is_ignored(engine: Engine) -> None:
    """`Standard` is searched."""
    body = body_of(7)
    body["game"]["ruleset"]["name"] = "Standard"
    await engine.searched_move(body)


@pytest.mark.parametrize("damage", [None, 2**31 - 1])
async def test_11_many_layers_kill(engine: Engine, damage: int | None) -> None:
    """The snake enters the only cell without hazards."""
    body = body_of(11)
    if damage is not None:
        body["game"]["ruleset"]["settings"]["hazardDamagePerTurn"] = damage
    assert await engine.searched_move(body) == "up"


async def test_11_much_healing_is_searched(engine: Engine) -> None:
    """The lowest damage of 32 bits is searched."""
    body = body_of(11)
    body["game"]["ruleset"]["settings"]["hazardDamagePerTurn"] = -(2**31)
    await engine.searched_move(body)


async def test_12_the_body_of_a_starving_snake_is_an_exit(engine: Engine) -> None:
    """The snake wins by the move onto a body that is gone when collisions count."""
    assert await engine.searched_move(body_of(12)) == "right"


@pytest.mark.parametrize(("number", "request_"), [(15, 0), (15, 1), (16, 0), (17, 0), (17, 1)])
async def test_odd_positions_are_searched(engine: Engine, number: int, request_: int) -> None:
    """Pending trails, nine snakes, a shared start and doubled food are searched."""
    await engine.searched_move(body_of(number, request_))


async def test_16_a_board_too_large_for_searches_is_no_secret(engine: Engine) -> None:
    """A board of 26x26 is searched in part."""
    body = body_of(16, 1)
    await engine.move(body)
    assert_searched(engine.gateway.entries("move", {body["game"]["id"]}))


@pytest.mark.parametrize("form", ["plain", "bom", "chunked", "gzip", "expect"])
async def test_25_what_is_not_read_costs_no_move(engine: Engine, form: str) -> None:
    """A lone surrogate, a byte order mark, chunks, gzip and a body that waits for 100 are all read."""
    game = str(uuid4())
    raw = case(25)["raw_body"].replace("7b0d3a52-1c34-4d55-9f6e-3a5d1f2c9e01", game).encode()
    url, headers = f"{engine.gateway.url}/move", {"Content-Type": "application/json"}
    data: Any = b"\xef\xbb\xbf" + raw if form == "bom" else raw
    if form in ("chunked", "expect"):
        data = _in_parts(raw, 0.3 if form == "expect" else 0.0)
    compress = "gzip" if form == "gzip" else None
    async with engine.session.post(
        url, data=data, headers=headers, compress=compress, expect100=form == "expect"
    ) as answer:
        assert answer.status == 200, await answer.text()
        assert (await answer.json())["move"] in STEPS
    moves = engine.gateway.entries("move", {game})
    assert moves
    assert_searched(moves)


async def _in_parts(raw: bytes, pause: float) -> AsyncIterator[bytes]:
    await asyncio.sleep(pause)
    for at in range(0, len(raw), 500):
        yield raw[at : at + 500]
