"""Strangers who know only the snake's address."""

import asyncio
import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count, cycle, repeat
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from battlesnake_search.board import LARGEST_MENDED
from battlesnake_search.contract.limits import LARGEST_BODY
from benchmarks.strangers.bodies import (
    NEW,
    Body,
    body,
    encoded,
    far_points,
    filled,
    moves_of_new_games,
    nonsense,
    renewed,
    snake,
)
from benchmarks.strangers.http import arrive, flood, hold, post, stay
from benchmarks.strangers.plan import Act, Plan, Report, Stranger

RECORDED = Path(__file__).parents[2] / "tests" / "fixtures" / "requests"

_LARGE, _LONG = 851_000, 900_000
"""Bytes of bodies. The gateway refuses bodies above 1 MB."""

_POINT = {"x": 1, "y": 1}

_ENDS_PER_SECOND = 417

_HEADS = (
    b"",
    b"POST /move HTTP/1.1\r\nHost: a\r\nContent-Le",
    b"POST /move HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    b"POST /move HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{",
)
"""The bytes after which half-open connections fall silent."""

_SLOW = b"POST /move HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + 1000 * b" "


def flooding(make: Callable[[Plan], Iterable[bytes]], connections: int = 1, pipelined: int = 1) -> Act:
    """Return an act that sends the requests of `make` as fast as the gateway answers."""

    async def act(plan: Plan, report: Report) -> None:
        await flood(plan, report, make(plan), connections, pipelined)

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


def _same(request: bytes) -> Callable[[Plan], Iterator[bytes]]:
    return lambda _plan: repeat(request)


def _new(path: str, value: bytes) -> Callable[[Plan], Iterator[bytes]]:
    return lambda plan: renewed(plan, post(path, value))


def _crowd(game: str, you: str, names: list[str]) -> bytes:
    """Return a body of some kilobytes with so many snakes."""
    snakes = [snake(name, 1) | {"body": [{"x": 1, "y": row} for row in range(9)]} for name in names]
    value = body(game, turn=1, snakes=snakes)
    return encoded(value | {"you": value["you"] | {"id": you}})


def _new_snakes(plan: Plan) -> Iterator[bytes]:
    names = [f"{NEW}-{number:02}" for number in range(60)]
    return renewed(plan, post("/start", _crowd("one", names[0], names)))


def _new_yous(plan: Plan) -> Iterator[bytes]:
    names = [f"{number:02}" for number in range(60)]
    return renewed(plan, post("/start", _crowd("one", NEW, [NEW, *names])))


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


def _empty(_plan: Plan) -> Iterator[bytes]:
    snakes = body("empty", snakes=[{}] * (_LONG // 3))
    hazards = body("empty", hazards=[{}] * (_LONG // 3))
    return cycle([post("/start", encoded(each)) for each in (snakes, hazards)])


def _mended(_plan: Plan) -> Iterator[bytes]:
    return cycle([post("/move", each) for each in faulty(_LONG)])


def _mended_at_the_bound(_plan: Plan) -> Iterator[bytes]:
    return cycle([post("/move", each) for each in faulty(LARGEST_MENDED - 8000)])


def _packed(_plan: Plan) -> Iterator[bytes]:
    bodies = [*faulty(_LONG), b" " * 50_000_000]
    return cycle([post("/move", gzip.compress(each), "Content-Encoding: gzip") for each in bodies])


async def end_games(plan: Plan, report: Report) -> None:
    """End ever-new games, a steady number each second."""
    value = body(turn=9, hazards=far_points(102_000))
    requests = renewed(plan, post("/end", encoded(value)))
    while report.sent < plan.requests:
        most = min(plan.requests, report.sent + _ENDS_PER_SECOND)
        bounded = msgspec.structs.replace(plan, requests=most)
        await asyncio.gather(flood(bounded, report, requests), asyncio.sleep(1.0))


def _bad_bodies(_plan: Plan) -> Iterator[bytes]:
    bad = [b"{}", b"[]", b"", b"{", b'{"board":1}', encoded(body("bad") | {"you": None}), b"\xff\xfe"]
    return cycle([post("/move", each) for each in bad])


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
    requests = moves_of_new_games(plan, timeout=2**31 - 1)
    async with asyncio.TaskGroup() as group:
        for number in (600, 2400):
            group.create_task(flood(plan, report, requests, connections=number))
            await asyncio.sleep(plan.seconds / 3)


def _nonsense(plan: Plan) -> Iterator[bytes]:
    rng = Random(plan.course)
    valid = [path.read_bytes() for path in sorted(RECORDED.glob("*-move-*.json"))]
    paths = ("/move", "/start", "/end")
    return (post(rng.choice(paths), nonsense(rng, valid)) for _ in count())


async def hold_half_open(plan: Plan, report: Report) -> None:
    """Keep thousands of half requests open."""
    ports = [port for port in (plan.http, plan.grpc) if port]
    heads = [(ports[i % len(ports)], _HEADS[i % len(_HEADS)], False) for i in range(3000)]
    await hold(report, heads)


async def hold_large(plan: Plan, report: Report) -> None:
    """Keep half requests open that are nearly as large as the gateway takes."""
    line = b"X-Large: " + b"a" * 8000 + b"\r\n"
    head = b"GET / HTTP/1.1\r\nHost: a\r\n" + line * 110
    whole = post("/move", b" " * _LONG)
    await hold(report, [(plan.http, each, False) for each in (head, whole[:-1])] * 500)


async def stay_idle(plan: Plan, report: Report) -> None:
    """Fill the port with idle connections from several addresses, while other callers arrive."""
    crowds = (stay(plan, report, address, 4200) for address in ("127.0.0.2", "127.0.0.3"))
    await asyncio.gather(*crowds, arrive(plan, report))


async def send_slowly(plan: Plan, report: Report) -> None:
    """Send requests a byte at a time."""
    await hold(report, [(plan.http, _SLOW, True)] * 500)


_PAGE = b"GET / HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n"


def _oddities(_plan: Plan) -> Iterator[bytes]:
    """Yield requests of many forms."""
    get = "GET {} HTTP/1.1\r\nHost: a\r\n{}\r\n"
    many = "".join(f"X-{number}: {number}\r\n" for number in range(90))
    upgrade = (
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a\r\n"
    )
    gets = [
        get.format("/", "Accept: text/html\r\n"),
        get.format("/", "Accept: " + "text/html;q=0.1," * 400 + "\r\n"),
        get.format("/" + "a" * 7000, ""),
        get.format("/" + "%41" * 2000 + "?" + "a=b&" * 200, ""),
        get.format("/readyz", ""),
        get.format("/healthz", many),
        get.format("/", upgrade),
        get.format("/metrics", "Authorization: Bearer a.b\r\n"),
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "DELETE /move HTTP/1.1\r\nHost: a\r\n\r\n",
        get.format("/", "X-Forwarded-Proto: https\r\nHost: b\r\n"),
    ]
    nested = b'{"game":' + b'{"a":' * 150_000 + b"1" + b"}" * 150_000 + b"}"
    twice = b'{"turn":1,' + b'"turn":2,' * 90_000 + b'"turn":3}'
    huge = b'{"turn":' + b"9" * 800_000 + b"}"
    posts = [post("/move", each) for each in (nested, twice, huge, b"[" * 900_000)]
    chunked = b"POST /move HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = chunked + b"1\r\n \r\n" * 50_000 + b"0\r\n\r\n"
    return cycle([*(each.encode() for each in gets), *posts, chunks])


def _long_names(plan: Plan) -> Iterator[bytes]:
    value = body(turn=1, timeout=1)
    for number, each in enumerate(value["board"]["snakes"]):
        each |= {"name": "n" * 140_000, "shout": "s" * 140_000}
        each["id"] = f"{NEW}{number}" + "i" * 3_000
    return renewed(plan, post("/move", encoded(value | {"you": value["board"]["snakes"][0]})))


def _timeouts(plan: Plan) -> Iterator[bytes]:
    timeouts: tuple[Any, ...] = (0, -1, 1, 2**31 - 1, 2**63, 1e308, "500", None, [], True)
    bodies = [body(turn=1) for _ in timeouts]
    for value, timeout in zip(bodies, timeouts, strict=True):
        value["game"]["timeout"] = timeout
        value["board"]["snakes"][0]["latency"] = timeout
    requests = [post("/move", json.dumps(value).encode()) for value in bodies]
    return chain.from_iterable(zip(*(renewed(plan, each) for each in requests), strict=True))


STRANGERS = (
    Stranger(
        "huge boards",
        "Games on boards with up to 10 billion cells are lost, in nine small requests.",
        lose_on_huge_boards,
    ),
    Stranger(
        "same start",
        "The same small /start again and again.",
        flooding(_same(post("/start", encoded(body("same"))))),
        is_short=False,
    ),
    Stranger(
        "same large start",
        "The same /start of 851 KB again and again.",
        flooding(_same(post("/start", filled(body("same"), _LARGE, _POINT)))),
        is_short=False,
    ),
    Stranger(
        "new large starts",
        "A /start of 851 KB for each of ever-new games.",
        flooding(_new("/start", filled(body(), _LARGE, _POINT))),
    ),
    Stranger(
        "new snakes",
        "A /start of 20 KB with ever-new snakes, always of the same game.",
        flooding(_new_snakes),
        is_short=False,
    ),
    Stranger(
        "new yous", "A /start of 20 KB with an ever-new `you`, always of the same game.", flooding(_new_yous)
    ),
    Stranger(
        "starts at the bound",
        "A /start of 260 KB, which is taken, for each of ever-new games.",
        flooding(_new("/start", filled(body(), LARGEST_BODY - 2000, _POINT))),
    ),
    Stranger(
        "mends at the bound",
        "Bodies of 64 KB that are mended, on 16 connections.",
        flooding(_mended_at_the_bound, connections=16),
    ),
    Stranger(
        "mended bodies",
        "Bodies of 900 KB that need mending, on one connection.",
        flooding(_mended),
        is_short=False,
    ),
    Stranger(
        "many mended bodies",
        "Bodies of 900 KB that need mending, on 64 connections.",
        flooding(_mended, connections=64),
    ),
    Stranger(
        "empty snakes",
        "Bodies of 900 KB with 300,000 empty snakes or points, on one connection.",
        flooding(_empty),
    ),
    Stranger("packed bodies", "The same bodies and 50 MB of spaces, packed by gzip.", flooding(_packed)),
    Stranger("ends of new games", "417 times a second an /end of 102 KB for a new game.", end_games),
    Stranger(
        "bad bodies", "Short bodies that are no game.", flooding(_bad_bodies, connections=4), is_short=False
    ),
    Stranger(
        "logged requests", "Valid requests of the kinds that log a line.", flooding(_logged, connections=4)
    ),
    Stranger("long moves", "600 and then 3,000 simultaneous moves with a timeout of days.", flood_long_moves),
    Stranger("half-open connections", "3,000 connections that send half a request.", hold_half_open),
    Stranger(
        "large half requests",
        "1,000 connections that send 900 KB of a head or of a body, and no end.",
        hold_large,
    ),
    Stranger(
        "idle connections",
        "8,400 connections from two addresses, each idle after a request. Others must be able to connect.",
        stay_idle,
    ),
    Stranger("slow senders", "500 connections that send a byte from time to time.", send_slowly),
    Stranger(
        "nonsense",
        "Random bodies, and mutations of valid ones, on 16 connections.",
        flooding(_nonsense, connections=16),
    ),
    Stranger(
        "oddities",
        "Long URLs, many headers, other methods, nested JSON, tiny chunks and upgrades, on 8 connections.",
        flooding(_oddities, connections=8),
    ),
    Stranger(
        "pipelined requests",
        "1,000 requests of the snake's page at once, on 8 connections.",
        flooding(_same(_PAGE), connections=8, pipelined=1000),
    ),
    Stranger(
        "long names", "Moves of 850 KB with long names, shouts and ids.", flooding(_long_names, connections=4)
    ),
    Stranger(
        "odd timeouts", "Moves with timeouts and latencies of any kind.", flooding(_timeouts, connections=16)
    ),
)
"""The strangers at the gateway's public port."""
