"""Strangers who know only the snake's address."""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from random import Random
from typing import Any

import msgspec

from battlesnake_search.board import LARGEST_MENDED
from benchmarks.strangers.http import flood, post
from benchmarks.strangers.plan import Act, Plan, Report, Stranger

_LARGE, _LONG = 851_000, 900_000
"""Bytes of bodies that the gateway refuses."""

_POINT = {"x": 1, "y": 1}

_ENDS_PER_SECOND = 417

NEW = "@" * 16
"""A place of a body that gets a new name in each request."""

Body = dict[str, Any]


def body(game: str = NEW, turn: int = 0, timeout: int = 500, size: int = 11, **board: Any) -> Body:
    """Return the body of a small game with two snakes; `board` replaces fields of the board."""
    you, other = snake("you", 1), snake("other", 3)
    return {
        "game": {"id": game, "ruleset": {"name": "standard"}, "timeout": timeout},
        "turn": turn,
        "board": {"width": size, "height": size, "food": [], "hazards": [], "snakes": [you, other]} | board,
        "you": you,
    }


def snake(name: str, column: int) -> Body:
    """Return a snake of three cells."""
    cells = [{"x": column, "y": row} for row in (4, 3, 2)]
    return {"id": name, "name": name, "health": 90, "body": cells}


def encoded(value: Body) -> bytes:
    """Return a body in JSON without spaces."""
    return json.dumps(value, separators=(",", ":")).encode()


def filled(value: Body, size: int, point: Body) -> bytes:
    """Return a body in JSON that has about this many bytes, by hazards at a point."""
    missing = size - len(encoded(value))
    hazards = [point] * (missing // (len(encoded(point)) + 1))
    return encoded(value | {"board": value["board"] | {"hazards": hazards}})


def far_points(size: int) -> list[Body]:
    """Return points of about this many bytes in JSON, which no compression makes small."""
    rng = Random(1)
    return [{"x": rng.randrange(2**31), "y": rng.randrange(2**31)} for _ in range(size // 32)]


def renewed(plan: Plan, request: bytes) -> Iterator[bytes]:
    """Yield a request for ever, with a new name at each place NEW of each."""
    parts = request.split(NEW.encode())
    while True:
        yield plan.name().encode().join(parts)


def flooding(make: Callable[[Plan], Iterable[bytes]], connections: int = 1) -> Act:
    """Return an act that sends the requests of `make` as fast as the gateway answers."""

    async def act(plan: Plan, report: Report) -> None:
        await flood(plan, report, make(plan), connections)

    return act


_TRAPPED = ((0, 0), (1, 0), (1, 1), (0, 1), (0, 2), (1, 2), (2, 2))
"""The way of a snake into a corner, newest cell first. It dies there, although it had another move before."""

_DOOMED = (
    *((8, 6), (8, 5), (8, 4), (7, 4), (7, 5), (7, 6), (7, 7), (7, 8)),
    *((8, 8), (9, 8), (9, 7), (9, 6), (9, 5), (9, 4), (9, 3), (9, 2), (9, 1)),
)
"""The way of a snake that dies a turn later, so that a short search proves that the other move won."""


async def lose_on_huge_boards(plan: Plan, report: Report) -> None:
    """Lose a game on each of some huge boards by a move into a trap, and be silent."""
    for size in (1_001, 10_001, 100_001):
        game, steps = plan.name(), []
        for turn, path in enumerate(("/start", "/move", "/end")):
            you, other = _moved("you", _TRAPPED, turn), _moved("other", _DOOMED, turn)
            living = [other] if path == "/end" else [you, other]
            steps.append((path, body(game, turn=turn, size=size, snakes=living) | {"you": you}))
        await flood(plan, report, [post(path, encoded(step)) for path, step in steps])
    await asyncio.sleep(plan.seconds)


def _moved(name: str, way: Sequence[tuple[int, int]], turn: int) -> Body:
    """Return a snake on its way, which ends at turn 1."""
    cells = way[1 - min(turn, 1) :][: len(way) - 1]
    return snake(name, 0) | {"body": [{"x": x, "y": y} for x, y in cells]}


def _large_starts(plan: Plan) -> Iterator[bytes]:
    return renewed(plan, post("/start", filled(body(), _LARGE, _POINT)))


def _new_yous(plan: Plan) -> Iterator[bytes]:
    names = [NEW, *(f"{number:02}" for number in range(60))]
    snakes = [snake(name, 1) | {"body": [{"x": 1, "y": row} for row in range(9)]} for name in names]
    value = body("one", turn=1, snakes=snakes)
    return renewed(plan, post("/start", encoded(value | {"you": value["you"] | {"id": NEW}})))


def faulty(size: int) -> list[bytes]:
    """Return bodies of about this many bytes that need mending, each in another way."""
    unknown = [{"a": number, "b": [None, True, "c"]} for number in range(size // 30)]
    latency = body("mended")
    latency["board"]["snakes"][0]["latency"] = "9" * (size // 2 - 600)
    return [
        encoded(body("mended") | {"turn": "1", "unknown": unknown}),
        filled(body("mended"), size, {"x": 1.0, "y": 1.5}),
        filled(body("mended"), size, {"x": "1", "y": "1"}),
        filled(body("mended"), size, {"x": None}),
        encoded(body("mended", food=[_POINT] * (size // 14))),
        encoded(latency | {"turn": "1"}),
    ]


def _mended(size: int) -> Callable[[Plan], Iterator[bytes]]:
    return lambda _plan: cycle([post("/move", each) for each in faulty(size)])


async def end_games(plan: Plan, report: Report) -> None:
    """End ever-new games, a steady number each second."""
    value = body(turn=9, hazards=far_points(102_000))
    requests = renewed(plan, post("/end", encoded(value)))
    while report.sent < plan.requests:
        most = min(plan.requests, report.sent + _ENDS_PER_SECOND)
        bounded = msgspec.structs.replace(plan, requests=most)
        await asyncio.gather(flood(bounded, report, requests), asyncio.sleep(1.0))


def _logged(plan: Plan) -> Iterator[bytes]:
    """Yield requests for which the gateway may log a line: starts, ends, probes, mends, repetitions."""
    alone: Body = {"snakes": [snake("you", 1)]}
    off = snake("you", 1) | {"body": [{"x": -1, "y": 0}]}
    steps = (
        ("/start", body()),
        ("/end", body(turn=7)),
        ("/end", body(**alone)),
        ("/start", body() | {"turn": "0"}),
        ("/move", body(turn=5, timeout=1)),
        ("/start", body()),
        ("/move", body(turn=5, timeout=1, snakes=[off]) | {"you": off}),
        ("/nobody/start", body()),
        ("/nobody/move", body(turn=3, timeout=1)),
    )
    requests = [post(path, encoded(value)).split(NEW.encode()) for path, value in steps]
    while True:
        name = plan.name().encode()
        yield from (name.join(parts) for parts in requests)


async def flood_long_moves(plan: Plan, report: Report) -> None:
    """Ask for moves of new games with a timeout of days, on more and more connections."""
    requests = renewed(plan, post("/move", encoded(body(turn=3, timeout=2**31 - 1))))
    async with asyncio.TaskGroup() as group:
        for number in (600, 2400):
            group.create_task(flood(plan, report, requests, connections=number))
            await asyncio.sleep(plan.seconds / 3)


STRANGERS = (
    Stranger(
        "huge boards",
        "Games on boards with up to 10 billion cells are lost, in nine small requests.",
        lose_on_huge_boards,
    ),
    Stranger("new large starts", "A /start of 851 KB for each of ever-new games.", flooding(_large_starts)),
    Stranger(
        "new yous", "A /start of 20 KB with an ever-new `you`, always of the same game.", flooding(_new_yous)
    ),
    Stranger(
        "mends at the bound",
        "Bodies of 64 KB that are mended, on 16 connections.",
        flooding(_mended(LARGEST_MENDED - 8000), connections=16),
    ),
    Stranger(
        "many mended bodies",
        "Bodies of 900 KB that need mending, on 64 connections.",
        flooding(_mended(_LONG), connections=64),
    ),
    Stranger("ends of new games", "417 times a second an /end of 102 KB for a new game.", end_games),
    Stranger(
        "logged requests", "Valid requests of the kinds that log a line.", flooding(_logged, connections=4)
    ),
    Stranger("long moves", "600 and then 3,000 simultaneous moves with a timeout of days.", flood_long_moves),
)
"""The strangers at the gateway's public port."""
