"""Whole games as the live platform's server plays them, with a gateway and its embedded searcher."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

import aiohttp
import pytest

from arena.players.bodies import Form
from gateway.game.values import Outcome
from tests.arena import outside_snake
from tests.arena.outside_snake import Body, OutsideSnake
from tests.support.platform_games import MODES, PlatformGame, Played, Seat, play, probe
from tests.support.watched import Watched, assert_searched, watched_gateway

TIMEOUT = 150
"""Milliseconds for an answer."""

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


def _assert_right(row: Outcome, truth: Played, form: Form) -> None:
    """Assert that an outcome tells the truth about a snake's game."""
    assert (row.result, row.turns) == (truth.result, truth.turns)
    # Where the dead leave the board, a snake can't know who died with it.
    unknown = form is not Form.PLATFORM and truth.result == "loss" and row.place is None
    assert row.place == truth.place or unknown
    # A request that the platform gave up may not have been answered.
    assert truth.moves - len(truth.faults) <= row.moves <= truth.moves
    assert row.seen_from == 0 and row.timeouts is not None and row.timeouts >= truth.visibly_late


async def _assert_recorded(
    table: Table, games: Sequence[Sequence[Played]], form: Form = Form.PLATFORM
) -> None:
    """Assert that there is one right outcome for each of our snakes in these games, and no other."""
    ours = {one.snake_id: one for game in games for one in game if one.url == table.gateway.url}
    rows = await table.gateway.outcomes({one.game_id for one in ours.values()}, len(ours))
    assert rows.keys() == ours.keys()
    for id_, truth in ours.items():
        _assert_right(rows[id_], truth, form)


@pytest.mark.alone
@pytest.mark.parametrize(
    ("mode", "form"),
    [
        *((mode, Form.PLATFORM) for mode in MODES),
        *((mode, Form.PLATFORM_NEWER) for mode in ("standard", "royale", "constrictor")),
    ],
)
async def test_every_mode_is_searched_and_recorded(table: Table, mode: str, form: Form) -> None:
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
            form=form,
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
    await _assert_recorded(table, played, form)


@pytest.mark.alone
async def test_the_same_snake_may_sit_four_times(table: Table) -> None:
    """Four snakes of one gateway in a game: each is recorded with its own result and place."""
    game = PlatformGame("standard", 11, TIMEOUT, health=40, food=False)
    await _assert_recorded(table, [await play(table.session, game, table.seats(4, 0))])


@pytest.mark.alone
async def test_a_probe_is_no_game(table: Table) -> None:
    """Probes leave no outcome, neither between games nor after them."""
    probes = {await probe(table.session, table.gateway.url) for _ in range(3)}
    game = PlatformGame("constrictor", 7, TIMEOUT)
    await _assert_recorded(table, [await play(table.session, game, table.seats(1, 1))])
    assert await table.gateway.outcomes(probes, 0) == {}


@pytest.mark.alone
async def test_of_a_game_played_again_the_second_course_is_recorded(table: Table) -> None:
    """A game that broke off and is played again under its ids: the outcome is that of the second course."""
    seats = table.seats(1, 2, late=(2,))
    first = PlatformGame("standard", 11, TIMEOUT, seed=5, health=40)
    await play(table.session, first, seats, turns=8)
    second = PlatformGame("standard", 11, TIMEOUT, seed=6, health=40, id=first.id)
    await _assert_recorded(table, [await play(table.session, second, seats)])


@pytest.mark.alone
async def test_a_game_without_an_end_spoils_no_other(table: Table) -> None:
    """A game whose /end never comes has no outcome for now, and the next game is recorded as ever."""
    silent = PlatformGame("constrictor", 7, TIMEOUT, sends_end=False)
    await play(table.session, silent, table.seats(1, 1))
    game = PlatformGame("constrictor", 7, TIMEOUT, seed=2)
    await _assert_recorded(table, [await play(table.session, game, table.seats(1, 1))])
    assert await table.gateway.outcomes({silent.id}, 0) == {}
