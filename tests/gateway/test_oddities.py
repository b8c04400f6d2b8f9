"""Bodies and courses that engines, tools and people have sent to other snakes.

Each case is a file of tests/fixtures/oddities with its requests and with the right behaviour (`expected`).
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import pytest

from battlesnake_search.board import MOVES
from tests.support.watched import TIMEOUT, Watched, assert_searched, watched_gateway

CASES = Path(__file__).parents[1] / "fixtures" / "oddities"

Body = dict[str, Any]

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


async def searched_move(gateway: Watched, body: Body) -> str:
    """Post a /move that must be searched, and return the direction."""
    refused = gateway.refused()
    async with aiohttp.ClientSession(gateway.url) as session, session.post("/move", json=body) as answer:
        assert answer.status == 200, await answer.text()
        word: str = (await answer.json())["move"]
    assert word in MOVES
    assert_game_searched(gateway, body["game"]["id"])
    assert gateway.refused() == refused
    return word


def assert_game_searched(gateway: Watched, game: str) -> None:
    """Assert that the moves of a game come from searches."""
    moves = gateway.entries("move", {game})
    assert moves
    assert_searched(moves)


async def test_01_corpses_on_the_board_change_nothing(gateway: Watched) -> None:
    """Bodies of one turn with and without three dead snakes are searched, with the same move."""
    first, second = body_of(1, 0), body_of(1, 1)
    assert await searched_move(gateway, first) == await searched_move(gateway, second)
    second["game"]["id"] = first["game"]["id"]
    await searched_move(gateway, second)


@pytest.mark.parametrize("is_missing", [False, True])
async def test_07_null_is_as_good_as_missing(gateway: Watched, is_missing: bool) -> None:
    """All fields that the move does not need may be null or missing."""
    body = body_of(7)
    # Inner fields come first, because an outer one may be missing afterwards.
    for path in sorted(NULL_PATHS, key=len, reverse=True):
        *way, last = path.split(".")
        value: Any = body
        for field in way:
            value = value[int(field)] if isinstance(value, list) else value[field]
        value[last] = None
        if is_missing:
            del value[last]
    await searched_move(gateway, body)


@pytest.mark.parametrize("name", ["wrapped-constrictor", "WRAPPED", "wrapped-royale"])
async def test_10_bodies_across_the_seam_are_searched(gateway: Watched, name: str) -> None:
    """Other spellings of wrapped rules are wrapped rules."""
    body = body_of(10)
    body["game"]["ruleset"]["name"] = name
    await searched_move(gateway, body)


@pytest.mark.parametrize("damage", [None, 2**31 - 1])
async def test_11_many_layers_kill(gateway: Watched, damage: int | None) -> None:
    """The snake enters the only cell without hazards."""
    body = body_of(11)
    if damage is not None:
        body["game"]["ruleset"]["settings"]["hazardDamagePerTurn"] = damage
    assert await searched_move(gateway, body) == "up"


async def test_12_the_body_of_a_starving_snake_is_an_exit(gateway: Watched) -> None:
    """The snake wins by the move onto a body that is gone when collisions count."""
    assert await searched_move(gateway, body_of(12)) == "right"


@pytest.mark.parametrize(
    ("number", "request_"), [(5, 0), (5, 1), (15, 0), (15, 1), (16, 0), (16, 1), (17, 0), (17, 1)]
)
async def test_odd_positions_are_searched(gateway: Watched, number: int, request_: int) -> None:
    """Odd latencies, pending trails, nine snakes, 26x26 cells, a shared start and doubled food."""
    await searched_move(gateway, body_of(number, request_))


@pytest.mark.parametrize("form", ["plain", "bom", "chunked", "gzip", "expect"])
async def test_25_what_is_not_read_costs_no_move(gateway: Watched, form: str) -> None:
    """A lone surrogate, a byte order mark, chunks, gzip and a body that waits for 100 are all read."""
    game = str(uuid4())
    raw = case(25)["raw_body"].replace("7b0d3a52-1c34-4d55-9f6e-3a5d1f2c9e01", game).encode()
    data: Any = b"\xef\xbb\xbf" + raw if form == "bom" else raw
    if form in ("chunked", "expect"):
        data = _in_parts(raw, 0.3 if form == "expect" else 0.0)
    async with (
        aiohttp.ClientSession(headers={"Content-Type": "application/json"}) as session,
        session.post(
            f"{gateway.url}/move",
            data=data,
            compress="gzip" if form == "gzip" else None,
            expect100=form == "expect",
        ) as answer,
    ):
        assert answer.status == 200, await answer.text()
        assert (await answer.json())["move"] in MOVES
    assert_game_searched(gateway, game)


async def _in_parts(raw: bytes, pause: float) -> AsyncIterator[bytes]:
    await asyncio.sleep(pause)
    for at in range(0, len(raw), 500):
        yield raw[at : at + 500]
