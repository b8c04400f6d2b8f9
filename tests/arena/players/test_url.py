"""A Battlesnake at a URL gets the official engine's requests, and its answers are treated alike."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

import pytest
from aiohttp import web

from arena.players.player import ChosenMove, FaultError
from arena.players.url import UrlPlayer
from arena.records import MoveLimits
from searcher.engine.position import Direction
from tests.arena.games.maps.official_games import run_engine
from tests.arena.outside_snake import Body, Fault, OutsideSnake, every, running
from tests.arena.players.recorded_views import recorded_view
from tests.support.services import free_port

AMPLE = MoveLimits(milliseconds=2000)
SHORT = MoveLimits(milliseconds=80)


@asynccontextmanager
async def player_of(url: str, limits: MoveLimits = AMPLE) -> AsyncIterator[UrlPlayer]:
    """A player, closed at the end."""
    player = UrlPlayer(url, "one", limits)
    try:
        yield player
    finally:
        await player.close()


class Answering(OutsideSnake):
    """A snake that always gives the same answer, and records the paths of requests."""

    def __init__(self, answer: str | bytes, status: int = 200, content_type: str = "text/html") -> None:
        super().__init__()
        self.answer = answer.encode() if isinstance(answer, str) else answer
        self.status = status
        self.content_type = content_type
        self.asked: list[str] = []

    def application(self) -> web.Application:
        """Answer at any path."""
        application = web.Application()
        application.router.add_post("/{path:.*}", self.move)
        return application

    async def move(self, request: web.Request) -> web.StreamResponse:
        """Return the answer."""
        self.asked.append(request.path_qs)
        assert request.content_type == "application/json"
        return web.Response(body=self.answer, status=self.status, content_type=self.content_type)


class Deaf(OutsideSnake):
    """A snake that never answers /start and /end."""

    async def read(self, request: web.Request) -> Body:
        """Wait forever."""
        await asyncio.get_running_loop().create_future()
        raise AssertionError("nobody sets the future")


async def chosen_move_of(snake: OutsideSnake, limits: MoveLimits = AMPLE) -> ChosenMove:
    """The chosen move of a snake's player in a recorded position. Raises FaultError likewise."""
    async with running(snake) as url, player_of(url, limits) as player:
        return await player.choose(recorded_view())


async def fault_of(snake: OutsideSnake, limits: MoveLimits = AMPLE) -> tuple[str, str]:
    """The name and the reason of the fault in a snake's answer."""
    with pytest.raises(FaultError) as caught:
        await chosen_move_of(snake, limits)
    return caught.value.fault, str(caught.value)


async def test_a_port_without_a_snake_is_unreachable() -> None:
    """The error has the URL and the reason."""
    url = f"http://127.0.0.1:{free_port()}"
    async with player_of(url) as player:
        with pytest.raises(ConnectionError, match=f"^no snake can be reached at {url}: Connection refused$"):
            await player.check_reachable()


async def test_a_port_without_http_or_tls_is_told_in_words() -> None:
    """A searcher listens there, or the scheme is wrong: the remedy is named in place of a library's text."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"\0\0\x1e\x04 no status line\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        url = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        for scheme, remedy in (("http", "is written without http://$"), ("https", "write http://$")):
            async with player_of(f"{scheme}://{url}") as player:
                with pytest.raises(ConnectionError, match=remedy):
                    await player.check_reachable()


async def test_a_name_without_an_address_is_told_in_words() -> None:
    """The system's text and number are left out."""
    async with player_of("http://nowhere.invalid:8000") as player:
        with pytest.raises(ConnectionError, match=r"8000: the name has no address$"):
            await player.check_reachable()


class Describing(OutsideSnake):
    """A server with a given answer to GET."""

    def __init__(self, answer: str, status: int = 200) -> None:
        super().__init__()
        self.answer, self.status = answer, status

    async def index(self, _request: web.Request) -> web.StreamResponse:
        """Return the answer."""
        return web.Response(text=self.answer, status=self.status)


@pytest.mark.parametrize("answer", ["<!doctype html>", "", "[]", '"snake"', "[" * 5000])
async def test_another_server_is_no_snake(answer: str) -> None:
    """A server whose answer to GET is no JSON object is no Battlesnake, and a likely mistake is named."""
    reason = "without a JSON object, so this is no Battlesnake. The console of a gateway has another port"
    async with running(Describing(answer)) as url, player_of(url) as player:
        with pytest.raises(ConnectionError, match=f"^no snake can be reached at {url}: .* {reason}"):
            await player.check_reachable()


DESCRIPTIONS = [
    ('{"author": "me", "extra": [1e999, {}]}', 200, True),
    ('{"APIVersion": "0", "Tail": null}', 201, True),
    ('{"apiversion": "1"}', 500, True),
    ('{"author": "\\ud83d"}', 200, True),
    ('{"head": ["safe"]}', 200, False),
    ("[]", 200, False),
    ("{} {}", 200, False),
    ('{"x": NaN}', 200, False),
    ("", 200, False),
]
"""Descriptions, their statuses, and whether they describe a snake."""


@pytest.mark.parametrize(("answer", "status", "describes"), DESCRIPTIONS)
async def test_descriptions_are_accepted_as_by_the_engine(
    official_engine: Path, answer: str, status: int, describes: bool
) -> None:
    """Neither the status nor the texts matter, but a known field must be a text."""
    async with running(Describing(answer, status)) as url, player_of(url) as player:
        played = await run_engine(official_engine, [url], width=3, height=3)
        assert (played.returncode == 0) == describes, played.stderr
        refused = pytest.raises(ConnectionError, match=r"no (description of a )?Battlesnake")
        with nullcontext() if describes else refused:
            await player.check_reachable()


ANSWERS = [
    (b'{"move": "right", "shout": "\xff"}', True),
    ('{"move": "right", "x": 1e999, "y": [[[]]]}', True),
    ('{"MOVE": "left", "Move": "right", "move": null}', True),
    ('{"move": "right", "move": "left", "Move": "right"}', True),
    ('\ufeff{"move": "right"}', False),
    ('{"move": "right", "x": NaN}', False),
    ('{"move": "right", "shout": "a\nb"}', False),
    ('{"move": "right ", "shout": ""}', False),
    ("null", False),
]
"""Answers to /move, and whether the engine plays the move to the right."""


@pytest.mark.parametrize(("answer", "plays"), ANSWERS)
async def test_answers_are_read_as_by_the_engine(
    official_engine: Path, answer: str | bytes, plays: bool
) -> None:
    """Another answer is invalid, and the snake goes up."""

    class Starting(Answering):
        async def index(self, _request: web.Request) -> web.StreamResponse:
            return web.json_response({})

        def application(self) -> web.Application:
            application = super().application()
            application.router.add_get("/", self.index)
            return application

        async def move(self, request: web.Request) -> web.StreamResponse:
            await self.read(request)
            return await super().move(request)

    snake = Starting(answer)
    async with running(snake) as url, player_of(url) as player:
        await run_engine(official_engine, [url])
        heads = [body["you"]["body"][0] for path, body in snake.requests if path == "/move"]
        assert (heads[1]["x"] > heads[0]["x"]) == plays
        with nullcontext() if plays else pytest.raises(FaultError, match=r"malformed|move"):
            assert (await player.choose(recorded_view())).move is Direction.RIGHT


@pytest.mark.parametrize(
    ("fault", "limits", "name", "reason"),
    [
        (Fault.LATE, SHORT, "late", "no answer within 80 ms"),
        (Fault.SILENT, SHORT, "late", "no answer within 80 ms"),
        (Fault.ERROR, AMPLE, "refused", "HTTP status 500"),
        (Fault.NOT_JSON, AMPLE, "invalid", "malformed"),
        (Fault.WRONG_WORD, AMPLE, "invalid", "move 'north'"),
        (Fault.DROPPED, AMPLE, "crashed", "ServerDisconnectedError"),
    ],
)
async def test_every_fault_has_its_name(fault: Fault, limits: MoveLimits, name: str, reason: str) -> None:
    """Each fault of a faulty snake has its name."""
    named, said = await fault_of(OutsideSnake(every(1, fault)), limits)
    assert named == name
    assert reason in said


async def test_a_refused_connection_is_a_crash() -> None:
    """A refused connection is a crash for /move, and ignored for /start and /end."""
    async with player_of(f"http://127.0.0.1:{free_port()}") as player:
        await player.start(recorded_view())
        with pytest.raises(FaultError) as caught:
            await player.choose(recorded_view())
        await player.end(recorded_view())
    assert caught.value.fault == "crashed"


async def test_start_and_end_may_fail() -> None:
    """Any answer to /start and /end, and none, is accepted."""
    view = recorded_view()
    async with running(Answering("", 500)) as url, player_of(url) as player:
        await player.start(view)
        await player.end(view)
    async with running(Deaf()) as url, player_of(url, SHORT) as player:
        await player.start(view)
        await player.end(view)
