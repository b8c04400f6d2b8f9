"""Opponents of the pool at URLs: their answers to engines, to odd bodies, and in time."""

import asyncio
import json
import subprocess
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from arena import serving
from arena.games.entrants import pool_names
from tests.support.compiled import FEW_SHAPES

FIXTURES = Path(__file__).parents[1] / "fixtures"
BODY = (FIXTURES / "requests" / "standard-move-mid-42.json").read_bytes()
MOVES = {"up", "down", "left", "right"}


@pytest.fixture(autouse=True)
def few_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search on the shapes that are compiled for all tests."""
    monkeypatch.setattr(serving, "_NEEDED_SHAPES", FEW_SHAPES)


@asynccontextmanager
async def client_of(*names: str) -> AsyncIterator[TestClient[web.Request, web.Application]]:
    """A client of a server of these opponents."""
    serving.prepare(names)
    with ThreadPoolExecutor(serving._SEARCHES) as threads:
        server = TestServer(serving.application(serving.opponents(names, threads)))
        async with TestClient(server) as client:
            yield client


async def test_every_opponent_has_a_path_and_a_colour() -> None:
    """Each opponent describes itself at its path."""
    names = ("greedy", "hunter", "measurer")
    async with client_of(*names) as client:
        found = [await (await client.get(f"/{name}")).json() for name in names]
    assert [each["name"] for each in found] == list(names)
    assert {each["apiversion"] for each in found} == {"1"}
    assert len({serving.color(name) for name in pool_names()}) == len(pool_names())


async def test_a_single_opponent_is_at_the_port_as_well() -> None:
    """One opponent needs no path, and has it nevertheless."""
    async with client_of("greedy") as client:
        for path in ("", "/greedy"):
            assert (await (await client.get(path or "/")).json())["name"] == "greedy"
            for verb in ("start", "end"):
                assert (await client.post(f"{path}/{verb}", data=BODY)).status == 200
            assert (await (await client.post(f"{path}/move/", data=BODY)).json())["move"] in MOVES


async def test_unknown_names_are_answered_with_the_valid_paths() -> None:
    """Other paths are errors, and so is / beside several opponents."""
    async with client_of("greedy", "hunter") as client:
        for path in ("/nobody/move", "/move"):
            answer = await client.post(path, data=BODY)
            assert answer.status == 404
            assert (await answer.json())["error"].endswith("valid: /greedy, /hunter")


ODD_BODIES = {
    f"{file.stem}-{number}": msgspec.json.encode(request["body"])
    for file in sorted((FIXTURES / "oddities").glob("*.json"))
    for number, request in enumerate(json.loads(file.read_bytes()).get("requests", ()))
    if request.get("path", "/move") == "/move" and isinstance(request.get("body"), dict)
}
"""Bodies of /move that engines have sent."""


@pytest.mark.parametrize("body", ODD_BODIES.values(), ids=ODD_BODIES)
async def test_odd_bodies_are_answered(body: bytes) -> None:
    """Odd bodies get a move."""
    async with client_of("greedy") as client:
        answer = await client.post("/move", data=body)
        content = await answer.json()
    assert (answer.status, content.get("move") in MOVES) == (200, True), content


async def test_a_body_without_a_move_names_the_field() -> None:
    """A body that leaves no move gets status 400."""
    async with client_of("greedy") as client:
        answer = await client.post("/move", data=BODY.replace(b'"width"', b'"breadth"'))
        assert answer.status == 400
        assert (await answer.json())["field"] == "board.width"
        assert (await client.post("/move", data=b"{")).status == 400


async def test_searching_snakes_on_one_cell_separate() -> None:
    """Searches of snakes that begin on the same cell choose among different moves."""
    body = json.loads(BODY)
    first, second = body["board"]["snakes"][:2]
    cells = [{"x": 5, "y": 5}] * 3
    snakes = [snake | {"body": cells, "head": cells[0], "length": 3} for snake in (first, second)]
    board = body["board"] | {"snakes": snakes, "food": [], "hazards": []}
    async with client_of("measurer") as client:
        for turn in range(4):
            bodies = [body | {"turn": turn, "board": board, "you": you} for you in snakes]
            answers = [await client.post("/move", data=json.dumps(each)) for each in bodies]
            moves = [(await answer.json())["move"] for answer in answers]
            assert len({*moves}) == 2, moves


@pytest.mark.alone
async def test_many_searches_at_once_are_in_time() -> None:
    """More games than there are threads for searches all get a move within the game's timeout."""
    body = json.loads(BODY)
    body["game"]["timeout"] = 2000
    async with client_of("measurer") as client:

        async def asked(number: int) -> float:
            began = time.monotonic()
            data = json.dumps(body | {"game": body["game"] | {"id": str(number)}})
            answer = await client.post("/move", data=data)
            assert (await answer.json())["move"] in MOVES
            return time.monotonic() - began

        taken = await asyncio.gather(*map(asked, range(3 * serving._SEARCHES)))
    assert max(taken) < 2.0


async def test_the_official_engine_plays_two_opponents(official_engine: Path, tmp_path: Path) -> None:
    """A game of the official command line between two opponents ends without an error."""
    async with client_of("greedy", "hunter") as client:
        url, record = str(client.make_url("/")), tmp_path / "game.jsonl"
        players = [word for name in ("greedy", "hunter") for word in ("--name", name, "--url", url + name)]
        game = ["--timeout=1000", "--seed=7", "--width=7", "--height=7"]
        command = [str(official_engine), "play", *players, *game, f"--output={record}"]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "ERROR" not in done.stderr and "WARN" not in done.stderr
    turns = [json.loads(line) for line in record.read_text().splitlines()][1:-1]
    assert len(turns) > 5
    assert {snake["customizations"]["color"] for snake in turns[0]["board"]["snakes"]} == {
        serving.color("greedy"),
        serving.color("hunter"),
    }
