"""Games as the live platform's server plays them, with a gateway and its embedded searcher.

Recorded games are posted again: their heads follow the recorded answers and not ours.
"""

import asyncio
import gzip
import json
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from battlesnake_search.record.outcome import Outcome
from tests.arena import outside_snake
from tests.arena.outside_snake import Body, OutsideSnake
from tests.support.platform_games import MODES, PlatformGame, Played, Seat, play
from tests.support.watched import TIMEOUT, Watched, assert_searched, watched_gateway

pytestmark = pytest.mark.rest("whole games")

RECKLESS = 0.06
"""The share of the opponents' moves that are drawn among all four."""


@dataclass(frozen=True, slots=True)
class Table:
    """The gateway under test and the opponents, by their URLs, with a session like the platform's."""

    session: aiohttp.ClientSession
    gateway: Watched
    opponents: str

    def seats(self, ours: int, opponents: int, late: Sequence[int] = ()) -> list[Seat]:
        """Return the seats of a game; the answers of our first snake are late in the turns `late`."""
        dropped = [frozenset(late), *[frozenset[int]()] * ours]
        own = [Seat(self.gateway.url, "ours", turns) for turns in dropped[:ours]]
        return [*own, *(Seat(self.opponents, f"opponent {index}") for index in range(opponents))]


@pytest.fixture(scope="module")
def gateway(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Yield a gateway that plays all games of this module."""
    with watched_gateway(tmp_path_factory.mktemp("gateway")) as watched:
        yield watched


@pytest.fixture
async def table(gateway: Watched) -> AsyncIterator[Table]:
    """Yield the table, and check at the end that each move was searched and no position refused."""
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=90)
    before, refused = len(gateway.entries("move", count=0)), gateway.refused()
    async with (
        outside_snake.running(OutsideSnake(choose=_recklessly)) as opponents,
        aiohttp.ClientSession(connector=connector) as session,
    ):
        yield Table(session, gateway, opponents)
    assert_searched(gateway.entries("move", count=before + 1)[before:])
    assert gateway.refused() == refused


def _recklessly(body: Body) -> str:
    rng = random.Random(f"{body['you']['id'][-1]} {body['turn']} {body['you']['head']}")
    if rng.random() < RECKLESS:
        return rng.choice(list(outside_snake.STEPS))
    return outside_snake.choose(body)


def _assert_right(row: Outcome, truth: Played, newer: bool) -> None:
    """Assert that an outcome tells the truth about a snake's game."""
    assert (row.result, row.turns) == (truth.result, truth.turns)
    # Where the dead leave the board, a snake can't know who died with it.
    unknown = newer and truth.result == "loss" and row.place is None
    assert row.place == truth.place or unknown
    # A request that the platform gave up may not have been answered.
    assert truth.moves - len(truth.faults) <= row.moves <= truth.moves
    assert row.seen_from == 0 and row.timeouts is not None and row.timeouts >= truth.visibly_late


async def _assert_recorded(table: Table, games: Sequence[Sequence[Played]], newer: bool = False) -> None:
    """Assert that there is one right outcome for each of our snakes in these games, and no other."""
    ours = {one.snake_id: one for game in games for one in game if one.url == table.gateway.url}
    rows = await table.gateway.outcomes({one.game_id for one in ours.values()}, len(ours))
    assert rows.keys() == ours.keys()
    for id_, truth in ours.items():
        _assert_right(rows[id_], truth, newer)


@pytest.mark.parametrize(
    ("mode", "newer"),
    [*((mode, False) for mode in MODES), ("royale", True)],
)
async def test_every_mode_is_searched_and_recorded(table: Table, mode: str, newer: bool) -> None:
    """Games on three sizes of board: every move is searched, and every outcome is right."""
    seats = [table.seats(2, 1, late=(4, 9)), table.seats(1, 3, late=(3, 6, 7)), table.seats(1, 1)]
    if mode == "solo":
        seats = [table.seats(1, 0, late=(4,)) for _ in seats]
    shrink_every = 5 if mode == "royale" else None
    games = [
        PlatformGame(
            mode,
            size,
            TIMEOUT,
            seed=size,
            newer=newer,
            health=45,
            # Without food every game ends after 45 turns.
            food=mode in ("standard", "royale", "snail_mode"),
            shrink_every=shrink_every,
        )
        for size in (7, 11, 19)
    ]
    played = await asyncio.gather(
        *(play(table.session, game, taken) for game, taken in zip(games, seats, strict=True))
    )
    await _assert_recorded(table, played, newer)


async def test_the_second_course_of_a_repeated_game_is_recorded(table: Table) -> None:
    """A game that broke off and is played again under its ids: the outcome is that of the second course."""
    seats = table.seats(1, 2, late=(2,))
    first = PlatformGame("standard", 11, TIMEOUT, seed=5, health=40)
    await play(table.session, first, seats, turns=8)
    second = PlatformGame("standard", 11, TIMEOUT, seed=6, health=40, id=first.id)
    await _assert_recorded(table, [await play(table.session, second, seats)])


GAMES = Path(__file__).parents[1] / "fixtures" / "platform"

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
