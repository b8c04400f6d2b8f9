"""The requests to snakes at URLs, compared with those of the official engine in the same games."""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from aiohttp import web

from arena.games.entrants import make_player
from arena.games.game import play_game
from arena.records import MoveLimits, Start
from tests.arena.games.maps.official_games import cells, run_engine
from tests.arena.outside_snake import Body, Fault, OutsideSnake, Schedule, choose, every, never, running
from tests.arena.setups import SMALL, setup_of

TIMEOUT = 2000

Choose = Callable[[Body], str]


def up(_: Body) -> str:
    """Up, until the board ends."""
    return "up"


def left(_: Body) -> str:
    """Left, until the board ends."""
    return "left"


def back(body: Body) -> str:
    """A few careful turns, then back and forth."""
    return choose(body) if body["turn"] < 6 else ("left", "right")[body["turn"] % 2]


@dataclass(frozen=True)
class Case:
    """A game in which food appears only at the start, so that nothing after the start is left to chance."""

    snakes: tuple[Choose, ...]
    ruleset: str = "standard"
    map: str = "standard"
    side: int = 11
    damage: int = 14
    every: int = 1000
    faults: tuple[Fault, ...] = ()


CASES = {
    "off the board": Case((up, choose)),
    "all at once": Case((up, up, up, up), side=7),
    "one after the other": Case((up, left, back, choose)),
    "alone": Case((choose,), "solo", side=7),
    "alone off the board": Case((up,), "solo"),
    "alone by standard rules": Case((back,)),
    "constrictor": Case((up, choose, back), "constrictor"),
    "wrapped": Case((up, back, choose), "wrapped", side=7),
    "wrapped constrictor": Case((choose, back, left), "wrapped_constrictor", side=7),
    "royale": Case((choose, up, choose), "royale", "hz_rings", damage=30),
    "fatal hazards": Case((up, left, choose), map="hz_inner_wall", damage=100),
    "harmful hazards": Case((up, left, choose, back), map="hz_rings"),
    "healing hazards": Case((choose, left), map="hz_rings", damage=-20),
    "layers": Case((choose, back), map="sinkholes", every=3),
    "pits": Case((choose, choose, up), map="hz_hazard_pits", every=4),
    "trails": Case((choose, back, left), map="snail_mode"),
    "faults": Case((choose, up), faults=(Fault.WRONG_WORD, Fault.ERROR, Fault.NOT_JSON, Fault.DROPPED)),
}

NAMES = "abcd"


class Dressed(OutsideSnake):
    """A snake with looks of its own."""

    def __init__(self, faults: Schedule, choose: Choose, color: str) -> None:
        super().__init__(faults, choose=choose)
        self._color = color

    async def index(self, _request: web.Request) -> web.StreamResponse:
        """Describe the snake, without a tail."""
        return web.json_response({"apiversion": "1", "color": self._color, "head": "safe", "tail": None})


def snakes_of(case: Case) -> list[OutsideSnake]:
    """The snakes of a case. The first one is faulty, if any is."""
    faults = [every(3, *case.faults) if case.faults and not number else never for number in range(4)]
    return [
        Dressed(fault, one, f"#{number:06}")
        for number, (one, fault) in enumerate(zip(case.snakes, faults, strict=False))
    ]


async def engines(engine: Path, case: Case) -> list[OutsideSnake]:
    """The snakes after a game of the official engine."""
    options = {
        "gametype": case.ruleset,
        "map": case.map,
        "width": case.side,
        "height": case.side,
        "timeout": TIMEOUT,
        "hazardDamagePerTurn": case.damage,
        "shrinkEveryNTurns": case.every,
        "minimumFood": 0,
        "foodSpawnChance": 0,
        "seed": 5,
    }
    snakes = snakes_of(case)
    async with AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(running(snake)) for snake in snakes]
        done = await run_engine(engine, urls, **options)
    assert done.returncode == 0, done.stderr
    return snakes


async def ours(case: Case, board: Body) -> list[OutsideSnake]:
    """The snakes after a game of the arena that begins on this board."""
    rules = msgspec.structs.replace(
        SMALL,
        ruleset=case.ruleset,
        map=case.map,
        width=case.side,
        height=case.side,
        hazard_damage=case.damage,
        shrink_every=case.every,
        minimum_food=0,
        food_spawn_chance=0,
        max_turns=1000,
    )
    placed = board["snakes"]
    bodies, health = [tuple(cells(snake["body"])) for snake in placed], [snake["health"] for snake in placed]
    start = Start(
        0, tuple(bodies), tuple(health), tuple(cells(board["food"])), tuple(cells(board["hazards"]))
    )
    snakes = snakes_of(case)
    async with AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(running(snake)) for snake in snakes]
        texts = [f"{url},name={name}" for name, url in zip(NAMES, urls, strict=False)]
        setup = setup_of(*texts, limits=MoveLimits(milliseconds=TIMEOUT), rules=rules)
        players = [make_player(entrant) for entrant in setup.entrants]
        seats = tuple(NAMES.index(snake["name"]) for snake in placed)
        await play_game(setup, players, start, seats, 1, "game")
        for player in players:
            await player.close()
    return snakes


def alike(requests: Sequence[tuple[str, Body]]) -> list[tuple[str, Body]]:
    """Requests without ids, measured times, and the names of the engine."""
    found = []
    for path, body in deepcopy(list(requests)):
        you = body["you"]
        assert path == "/end" or you["latency"] == "0"
        for snake in (you, *body["board"]["snakes"]):
            assert snake.pop("latency").isdecimal()
            snake["id"] = snake["name"]
        for name in ("id", "source"):
            del body["game"][name]
        del body["game"]["ruleset"]["version"]
        body["board"]["hazards"].sort(key=lambda cell: (cell["x"], cell["y"]))
        found.append((path, body))
    return found


@pytest.mark.parametrize("name", CASES)
async def test_requests_are_the_engines(official_engine: Path, name: str) -> None:
    """From /start to /end, each snake gets the engine's requests in the engine's order, dead or alive."""
    theirs = await engines(official_engine, CASES[name])
    own = await ours(CASES[name], theirs[0].requests[0][1]["board"])
    for one, other in zip(own, theirs, strict=True):
        for ours_, theirs_ in zip(alike(one.requests), alike(other.requests), strict=True):
            assert ours_ == theirs_
        assert [path for path, _ in one.requests][-1] == "/end"
