"""The bots of examples/: how they are built, and what they send to a searcher and make of its answers."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from battlesnake_search.contract import search_pb2
from battlesnake_search.plan import Plan
from battlesnake_search.reader import decode
from battlesnake_search.searchable import Searchable
from battlesnake_search.translate import search_request
from tests.examples.bots import BOTS, EXAMPLES, Bot, build, running_bot, sources
from tests.gateway.scripted_searcher import (
    REQUESTS,
    Context,
    ScriptedService,
    at_once,
    one_depth_then_crash,
    one_depth_then_silence,
    refusing,
    searcher,
)
from tests.support.http import answer_of
from tests.support.services import free_port

FILES = sorted(REQUESTS.glob("*-move-*.json"))
MID_GAME = REQUESTS / "standard-move-mid-42.json"
STEPS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}

TIMEOUT = 2000
"""Milliseconds for a move."""

PATIENCE = 10.0
"""Seconds for a bot to connect again."""

AWAY = 10.0
"""Seconds without a searcher. By default, gRPC's pauses are some 6 s long after this time."""

RESTARTED_WITHIN = 5.0
"""Seconds for a bot whose pauses are limited to a second, on a busy machine."""


def patient(file: Path) -> bytes:
    """Return a recorded body of a game that allows enough time on a busy machine."""
    body = json.loads(file.read_bytes())
    body["game"]["timeout"] = TIMEOUT
    return json.dumps(body).encode()


def legal_moves(body: dict[str, Any]) -> set[str]:
    """Return the moves of a body's snake that lead neither off the board nor into a body."""
    board, head = body["board"], body["you"]["head"]
    taken = {(part["x"], part["y"]) for snake in board["snakes"] for part in snake["body"][:-1]}
    cells = {move: (head["x"] + dx, head["y"] + dy) for move, (dx, dy) in STEPS.items()}
    if body["game"]["ruleset"]["name"].startswith("wrapped"):
        cells = {move: (x % board["width"], y % board["height"]) for move, (x, y) in cells.items()}
    free = {(x, y) for x in range(board["width"]) for y in range(board["height"])} - taken
    return {move for move, cell in cells.items() if cell in free}


def test_a_build_changes_nothing_of_the_example(bot: Bot) -> None:
    """Lock files are complete, and what a build makes is in folders that git ignores."""
    folder = build(bot)
    assert {file: (folder / file).read_bytes() for file in sources(folder)} == {
        file: (bot.folder / file).read_bytes() for file in sources(bot.folder)
    }


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_the_readme_has_every_command(bot: Bot) -> None:
    """The commands that the tests run are those that the page of a bot shows."""
    page = (bot.folder / "README.md").read_text().replace("\\\n", "")
    lines = {" ".join(line.split()) for line in page.splitlines()}
    assert [command for command in (*bot.build, bot.run) if command not in lines] == []


async def test_a_bot_plays_by_the_answers_of_its_searcher(bot: Bot, tmp_path: Path) -> None:
    """Each recorded body becomes the position of its table, and the last answer of the stream is the move.

    The deadline of a call leaves time for the network. The move of the depth that has arrived counts if the
    deadline comes, or the searcher fails. Without a result the bot stays on the board, which may be wrapped,
    and hits no body if it can. A searcher that asks for a token gets it.
    """
    left: list[float] = []

    async def timed(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        left.append(context.time_remaining())
        async for response in at_once(request, context):
            yield response

    refuse = refusing(grpc.StatusCode.INVALID_ARGUMENT, len(FILES))
    scripts = iter(
        [*[timed] * len(FILES), one_depth_then_silence, one_depth_then_crash, *[refuse] * len(FILES)]
    )
    log, service = tmp_path / "bot.log", ScriptedService(lambda *call: next(scripts)(*call))
    async with searcher(service) as address:
        with running_bot(bot, log, address, "ann.secret") as url:
            port = int(url.rpartition(":")[2])
            asked = [*FILES, MID_GAME, MID_GAME, *FILES]
            answers = [await asyncio.to_thread(answer_of, port, "/move", patient(file)) for file in asked]
    assert {status for status, _ in answers} == {200}
    moves = [json.loads(content)["move"] for _, content in answers]
    assert [request.position for request in service.requests[: len(FILES)]] == [
        search_request(Searchable(decode(file.read_bytes())), Plan()).position for file in FILES
    ]
    assert moves[: -len(FILES)] == [*["up"] * len(FILES), "right", "right"]
    # On the wire a deadline is rounded.
    assert all(0 < each < TIMEOUT / 1000 - 0.09 for each in left)
    assert {headers.get("authorization") for headers in service.headers} == {"Bearer ann.secret"}
    for file, move in zip(FILES, moves[-len(FILES) :], strict=True):
        assert move in (legal_moves(json.loads(file.read_bytes())) or STEPS), file.stem
    ends = ((" (search, depth 2)\n", len(FILES)), ("move: right (search, depth 1)\n", 2))
    for end, number in (*ends, (" (fallback)\n", len(FILES))):
        assert log.read_text().count(end) == number


async def test_a_bot_finds_a_searcher_that_comes_later(bot: Bot, tmp_path: Path) -> None:
    """A searcher that starts after its bot, or again, soon gets the calls, without a header for a token."""
    log, body = tmp_path / "bot.log", patient(MID_GAME)
    service = ScriptedService(at_once)
    address = f"127.0.0.1:{free_port()}"
    with running_bot(bot, log, address) as url:
        port = int(url.rpartition(":")[2])
        await asyncio.to_thread(answer_of, port, "/move", MID_GAME.read_bytes())
        assert " (fallback)\n" in log.read_text()
        async with asyncio.timeout(PATIENCE), searcher(service, address):
            while " (search, depth 2)\n" not in log.read_text():
                await asyncio.to_thread(answer_of, port, "/move", body)
    assert {headers.get("authorization") for headers in service.headers} == {None}


@pytest.mark.parametrize("bot", [bot for bot in BOTS if bot.name == "python"], ids=lambda bot: bot.name)
async def test_a_bot_is_soon_served_by_a_searcher_that_was_long_away(bot: Bot, tmp_path: Path) -> None:
    """The pauses between attempts to connect stay short, however long a searcher is away."""
    log, body = tmp_path / "bot.log", patient(MID_GAME)
    address, found = f"127.0.0.1:{free_port()}", " (search, depth 2)\n"
    with running_bot(bot, log, address) as url:
        port = int(url.rpartition(":")[2])
        async with searcher(ScriptedService(at_once), address):
            await asyncio.to_thread(answer_of, port, "/move", body)
            assert log.read_text().count(found) == 1
        ends = time.monotonic() + AWAY
        while time.monotonic() < ends:
            await asyncio.to_thread(answer_of, port, "/move", body)
        async with asyncio.timeout(RESTARTED_WITHIN), searcher(ScriptedService(at_once), address):
            while log.read_text().count(found) < 2:
                await asyncio.to_thread(answer_of, port, "/move", body)


def test_no_lock_file_of_npm_names_a_registry() -> None:
    """A mirror serves as well."""
    assert "resolved" not in (EXAMPLES / "typescript" / "package-lock.json").read_text()
