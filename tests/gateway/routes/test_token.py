"""A token in the address of a snake, so that only clients with the token can play."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from battlesnake_search.common.toml import TomlError
from gateway import app
from gateway.routes import loading
from gateway.routes.looks import Looks
from gateway.settings import NO_CONSOLE, Settings
from tests.console.web.console import running
from tests.gateway.clients import post_move
from tests.gateway.gateway_process import serving
from tests.gateway.listing_searcher import ListingService
from tests.gateway.scripted_searcher import Gateway, body, searcher

TOKEN = "9f3c0a7d51e2b846"
OTHER = TOKEN[:-1] + "7"
LINES = f'[[snakes]]\npath = "/hydra"\ntoken = "{TOKEN}"\narms = [{{ name = "a" }}]\n'
DEFAULT = f'[[snakes]]\npath = "/"\ntoken = "{TOKEN}"\narms = [{{ name = "a" }}]\n'

UNKNOWN = "/nobody"


@asynccontextmanager
async def _gateway(file: Path, lines: str) -> AsyncIterator[Gateway]:
    file.write_text(lines)
    async with (
        searcher(ListingService("area")) as target,
        TestClient(
            TestServer(app.build(Settings(searcher=target, routes=file, console=NO_CONSOLE)))
        ) as client,
    ):
        yield client


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of a routes file."""
    return tmp_path / "routes.toml"


async def _answers(client: Gateway, path: str) -> list[tuple[int, bytes]]:
    """Return the answers of a snake's paths."""
    answers = []
    for method, name in (("GET", ""), ("GET", "/"), ("POST", "/start"), ("POST", "/move"), ("POST", "/end")):
        sent = body() if method == "POST" else None
        async with client.request(method, f"{path}{name}" or "/", json=sent) as answer:
            answers.append((answer.status, await answer.read()))
    return answers


@pytest.mark.parametrize("secret", ["/hydra", f"/hydra-{OTHER}", f"/hydra-{TOKEN}x"])
async def test_without_its_token_a_snake_is_not_there(file: Path, secret: str) -> None:
    """A path without the token, or with a wrong token, answers like an unknown path."""
    async with _gateway(file, LINES + DEFAULT.replace(TOKEN, "another-token-of-it")) as client:
        expected = await _answers(client, UNKNOWN)
        assert [status for status, _ in expected] == [404] * 5
        assert await _answers(client, secret) == expected
        played = await _answers(client, f"/hydra-{TOKEN}")
        assert [status for status, _ in played] == [200] * 5


async def test_a_snake_at_the_top_may_have_a_token_too(file: Path) -> None:
    """It answers below its token alone, and plays for no other path."""
    async with _gateway(file, DEFAULT) as client:
        expected = await _answers(client, UNKNOWN)
        assert await _answers(client, "") == expected
        assert [status for status, _ in await _answers(client, f"/{TOKEN}")] == [200] * 5


@pytest.mark.parametrize("token", ["short", "with space in it 1", "ümlaut-ümlaut-ümlaut", "a" * 129])
def test_an_invalid_token_is_named_and_not_shown(file: Path, token: str) -> None:
    """The error has the field and the valid form, without the token."""
    file.write_text(LINES.replace(TOKEN, token))
    with pytest.raises(TomlError, match="must be 16 to 128 of A-Z, a-z, 0-9, - and _") as caught:
        loading.load(file, "")
    assert caught.value.field == "snakes[0].token" and token not in str(caught.value)


def test_two_snakes_never_share_an_address(file: Path) -> None:
    """A path that is another one with its token is refused, without showing the token."""
    file.write_text(LINES + LINES.replace(f'token = "{TOKEN}"\n', "").replace("/hydra", f"/hydra-{TOKEN}"))
    with pytest.raises(TomlError, match="the same path with its token") as caught:
        loading.load(file, "")
    assert TOKEN not in str(caught.value)


async def test_the_option_gives_the_snake_a_token() -> None:
    """Without a routes file the snake of the options has the option's token; the console shows no address."""
    async with running(looks=Looks(name="Hydra", token=TOKEN)) as console:
        for path, status in (("/", 404), (f"/{TOKEN}", 200), (f"/{TOKEN}/", 200)):
            async with console.public.get(path) as answer:
                assert answer.status == status
        assert await post_move(console.public, body(id="game"), f"/{TOKEN}/move") == "up"
        [snake] = (await console.get("/api/overview"))["snakes"]
        assert snake["path"] == "/" and snake["name"] == "Hydra" and "url" not in snake
        assert TOKEN not in json.dumps([snake, await console.game("game")])


async def test_the_token_is_nowhere_in_the_log(file: Path) -> None:
    """The log names the snake's path without it, at any level and whatever goes wrong."""
    file.write_text(LINES)
    async with (
        searcher(ListingService("area", refusals=2)) as target,
        serving(target, ROUTES_FILE=str(file), LOG_LEVEL="debug") as (process, client),
    ):
        hydra = f"/hydra-{TOKEN}"
        for path in ("/start", "/move", "/end", "/nothing"):
            for sent in (json.dumps(body()), "{"):
                async with client.post(hydra + path, data=sent) as answer:
                    await answer.read()
        async with client.post(f"/hydra-{OTHER}/move", json=body()) as answer:
            assert answer.status == 200
        async with client.get("/metrics") as answer:
            assert TOKEN not in await answer.text()
        process.terminate()
        _, log = await process.communicate()
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line["path"] for line in lines if line["event"] == "bad body"] == [
        f"/hydra/{name}" for name in ("start", "move", "end")
    ]
    assert [line["path"] for line in lines if line["event"] == "no such snake"] == [""]
    assert TOKEN.encode() not in log and OTHER.encode() not in log
