"""The platform's recorded games, posted again: nothing is refused, and the outcomes are the games' results.

The heads follow the recorded answers and not ours.
"""

import asyncio
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.watched import Watched, assert_searched, watched_gateway

GAMES = Path(__file__).parents[1] / "fixtures" / "platform"

TIMEOUT = 80
"""Milliseconds that the games are said to allow for an answer, so that they are played fast."""

RESULTS = {
    "standard": [("loss", 3)],
    "royale": [("loss", 2)],
    "constrictor": [("loss", 2)],
    "snail": [("win", 1)],
    "standard-7x7-twice-ours": [("win", 1), ("loss", 2)],
    "solo-7x7": [(None, None)],
}
"""The result and the place of each of our snakes, in the order of their /start."""

Request = dict[str, Any]


@pytest.fixture(scope="module")
def gateway(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Yield a gateway that plays all games of this module."""
    with watched_gateway(tmp_path_factory.mktemp("gateway")) as watched:
        yield watched


def recorded(name: str) -> list[Request]:
    """Return the requests of a game."""
    with gzip.open(GAMES / f"{name}.jsonl.gz") as lines:
        requests: list[Request] = [json.loads(line) for line in lines]
    for request in requests:
        request["body"]["game"]["timeout"] = TIMEOUT
    return requests


async def post(url: str, requests: list[Request]) -> None:
    """Post the requests of one snake in order, each with the status 200."""
    async with aiohttp.ClientSession() as session:
        for request in requests:
            async with session.post(f"{url}/{request['path']}", json=request["body"]) as answer:
                assert answer.status == 200, request["path"]
                await answer.read()


@pytest.mark.alone
@pytest.mark.parametrize("name", RESULTS)
async def test_a_recorded_game_has_its_result(gateway: Watched, name: str) -> None:
    """Every request gets 200, every move is searched, and each outcome has its result, place and moves."""
    requests, refused = recorded(name), gateway.refused()
    ids = [request["body"]["you"]["id"] for request in requests if request["path"] == "start"]
    own = {id_: [request for request in requests if request["body"]["you"]["id"] == id_] for id_ in ids}
    await asyncio.gather(*(post(gateway.url, each) for each in own.values()))

    games = {requests[0]["body"]["game"]["id"]}
    rows = await gateway.outcomes(games, len(ids))
    assert [(rows[id_].result, rows[id_].place) for id_ in ids] == RESULTS[name]
    for id_ in ids:
        assert rows[id_].moves == sum(request["path"] == "move" for request in own[id_])
        assert rows[id_].turns == own[id_][-1]["body"]["turn"] and rows[id_].seen_from == 0
    assert gateway.refused() == refused
    assert_searched(gateway.entries("move", games))
