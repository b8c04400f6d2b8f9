"""The arena's paths on the gateway: its own process answers them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from arena.report.page import page_of
from gateway.console import arena
from gateway.store.database import MissingExtraError
from tests.arena.match_files import duels, write
from tests.gateway.console.console import running

Client = TestClient[web.Request, web.Application]


@asynccontextmanager
async def _served(folder: Path | None) -> AsyncIterator[Client]:
    app = web.Application()
    app.add_routes(arena.HANDLERS)
    app.cleanup_ctx.append(arena.running)
    if folder:
        app[arena.FOLDER] = folder
    async with TestClient(TestServer(app)) as client:
        yield client


async def _ask(client: Client, path: str) -> tuple[int, Any]:
    async with client.get(path) as answer:
        return answer.status, await answer.json()


async def test_the_arena_answers_through_the_gateway(tmp_path: Path) -> None:
    """Matches, replays and reports arrive as the arena serves them; the first request waits for its start."""
    match = duels(2)
    write(tmp_path / "a match.jsonl", match.setup, match.blocks)
    (tmp_path / "a report.html").write_text(page_of(match))
    async with _served(tmp_path) as client:
        status, listed = await _ask(client, "/api/arena")
        assert status == 200 and [each["name"] for each in listed["matches"]] == ["a match.jsonl"]
        path = "/api/arena/matches/a%20match.jsonl"
        async with client.get(path) as answer:
            assert (await answer.json())["blocks"] == 2
            version = answer.headers["ETag"]
        async with client.get(path, headers={"If-None-Match": version}) as answer:
            assert answer.status == 304
        status, replay = await _ask(client, f"{path}/games/1.2")
        assert status == 200 and replay["turns"] == len(match.blocks[1].games[1].turns)
        async with client.get("/arena/reports/a%20report.html") as answer:
            assert answer.headers["Content-Security-Policy"] == "sandbox allow-scripts"
            assert (await answer.text()).startswith("<!doctype html>")
        assert (await _ask(client, "/api/arena/matches/..%2Fx"))[0] == 404


async def test_only_gzip_compresses_and_only_if_it_is_accepted(tmp_path: Path) -> None:
    """A client that does not ask for compression gets none."""
    match = duels(2)
    write(tmp_path / "m.jsonl", match.setup, match.blocks)
    encodings = {"identity": None, "gzip, deflate, br": "gzip", "deflate": None, "gzip;q=0": None}
    every = [({}, None), *(({"Accept-Encoding": each}, encodings[each]) for each in encodings)]
    async with _served(tmp_path) as client:
        for headers, encoding in every:
            skipped = ["Accept-Encoding"]
            path = "/api/arena/matches/m.jsonl"
            async with client.get(path, headers=headers, skip_auto_headers=skipped) as answer:
                assert answer.status == 200
                assert answer.headers.get("Content-Encoding") == encoding, headers
                assert (await answer.json())["blocks"] == 2


async def test_the_console_shows_the_folder(tmp_path: Path) -> None:
    """A gateway with a folder of matches serves them on its admin port."""
    match = duels(1)
    write(tmp_path / "match.jsonl", match.setup, match.blocks)
    async with running(arena=tmp_path) as console:
        listed = await console.get("/api/arena")
    assert [each["name"] for each in listed["matches"]] == ["match.jsonl"]


async def test_without_a_folder_the_option_is_named() -> None:
    """The gateway needs no arena unless a folder is given."""
    async with _served(None) as client:
        status, answer = await _ask(client, "/api/arena")
    assert status == 404 and "--arena" in answer["error"]


async def test_an_arena_that_fails_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the arena's process doesn't start, the answer is 503."""
    monkeypatch.setattr(arena, "_PATIENCE", 0.5)
    async with _served(tmp_path / "missing") as client:
        status, answer = await asyncio.wait_for(_ask(client, "/api/arena"), 30)
    assert status == 503 and "log" in answer["error"]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the missing packages and their installation."""
    arena.require_arena()
    monkeypatch.setattr(arena, "_PACKAGES", ("json", "no_such_package"))
    with pytest.raises(
        MissingExtraError, match=r"^no_such_package not installed: run pip install .*\[arena\]"
    ):
        arena.require_arena()
