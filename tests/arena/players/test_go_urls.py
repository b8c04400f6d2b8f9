"""The paths of a snake's URL, compared with the requests of the official engine."""

from pathlib import Path

import pytest
from aiohttp import web

from arena.games.entrants import parse_entrants
from arena.players.url import UrlPlayer, is_accepted
from arena.records import MoveLimits
from tests.arena.games.maps.official_games import run_engine
from tests.arena.outside_snake import OutsideSnake, running
from tests.arena.players.recorded_views import recorded_view

WRITTEN = [
    "",
    "/",
    "/snake",
    "/snake/",
    "/a%2Fb",
    "/a%2fb%2F",
    "/a//b",
    "//a",
    "/a%2F%2Fb",
    "/a/./b/../c",
    "/a%2F..%2Fb",
    "/..",
    "/a%2E%2E/b",
    "/a b",
    "/a%20b",
    "/a+b&c=d;e,f:g@h$i",
    "/(a)!'*[b]",
    "/%41%7E",
    '/"<>^`{|}\\',
    "/ä/%C3%A4/%FF",
    "/a%3Fb",
    "/a%25b",
    "/a#b",
    "/a%23b",
    "/a?key=a&b=%20+c",
    "/a//b?key=//x/../y%2F",
    "?key=a#b",
    "/a#b?key=c#d",
]


class Listing(OutsideSnake):
    """A snake at every path, which lists the method and the target of each request."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[tuple[str, str]] = []

    def application(self) -> web.Application:
        """Answer at any path."""
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", self.answer)
        return application

    async def answer(self, request: web.Request) -> web.Response:
        """Answer with a move off the board."""
        self.targets.append((request.method, request.raw_path))
        return web.json_response({"move": "up"})


async def engines(engine: Path, url: str, snake: Listing) -> list[tuple[str, str]]:
    """The different requests of the official engine, in order."""
    done = await run_engine(engine, [url], width=3, height=3)
    assert done.returncode == 0, done.stderr
    return list(dict.fromkeys(snake.targets))


async def ours(url: str, snake: Listing) -> list[tuple[str, str]]:
    """The requests of a player, in the same order."""
    player = UrlPlayer(url, "a", MoveLimits(milliseconds=5000))
    await player.check_reachable()
    await player.start(recorded_view())
    await player.choose(recorded_view())
    await player.end(recorded_view())
    await player.close()
    return snake.targets


@pytest.mark.parametrize("written", WRITTEN)
async def test_paths_are_the_engines(official_engine: Path, written: str) -> None:
    """The index, /start, /move and /end of a URL have the engine's targets."""
    theirs, own = Listing(), Listing()
    async with running(theirs) as one, running(own) as other:
        expected = await engines(official_engine, one + written, theirs)
        assert await ours(other + written, own) == expected
    assert [method for method, _ in expected] == ["GET", "POST", "POST", "POST"]


class Redirecting(Listing):
    """A snake that sends a client elsewhere first, with a cookie."""

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status

    async def answer(self, request: web.Request) -> web.Response:
        """Redirect the client to /there, and list whether a cookie and a body have come."""
        has = bool(request.headers.get("Cookie")), bool(await request.read())
        self.targets.append((f"{request.method} {has}", request.raw_path))
        if request.raw_path.startswith("/there"):
            return web.json_response({"move": "up"})
        answer = web.Response(status=self.status, headers={"Location": f"/there{request.raw_path}"})
        answer.set_cookie("seen", "1")
        return answer


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_and_cookies_are_the_engines(official_engine: Path, status: int) -> None:
    """The same methods, targets and bodies follow, and no cookie comes back."""
    theirs, own = Redirecting(status), Redirecting(status)
    async with running(theirs) as one, running(own) as other:
        one, other = (url.replace("127.0.0.1", "localhost") for url in (one, other))
        assert await ours(other, own) == await engines(official_engine, one, theirs)
    assert len(own.targets) == 8


@pytest.mark.parametrize("written", ["/a%zz", "/a%2", "/%", "/a\x7fb"])
async def test_a_path_that_the_engine_refuses_is_refused(official_engine: Path, written: str) -> None:
    """A broken escape and a control character are no part of a URL."""
    url = f"http://127.0.0.1:1{written}"
    assert "invalid" in (await run_engine(official_engine, [url])).stderr
    with pytest.raises(ValueError, match="is not a URL such as http://localhost:8000"):
        parse_entrants([url], MoveLimits(milliseconds=500))
    assert is_accepted(f"http://127.0.0.1:1/a?{written}")
