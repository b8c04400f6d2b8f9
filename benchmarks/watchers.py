"""A whole game of the official engine with many watchers, beside other games.

    python -m benchmarks.watchers

Every watcher follows the game by the console's events, as a browser does, and all games are recorded in a
database. The exit status is 1 if an answer was late, or if a watcher missed a turn.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import click

from battlesnake_search.common.cli import CONTEXT
from benchmarks.games import TIMEOUT, play
from tests.support.admin import HEADERS
from tests.support.games import GameReport, GameSetup, run_game
from tests.support.official_engine import build_official_engine
from tests.support.services import compile_default, free_port, moves_by_source, running_gateway

WATCHERS, GAMES, SNAKES = 20, 16, 2
"""The watchers of the game, the other games at once, and the copies of the snake in the game."""

BESIDE = "beside"
"""The prefix of the other games' ids."""

SETTLING = 0.5
"""Seconds to wait until the watched game is in play."""

ROUND = 5.0
"""Seconds that the other games last; the next ones follow until the watched game is over."""

AFTER_END = 10.0
"""Seconds for the watchers to receive the end of the game."""


@click.command(context_settings=CONTEXT)
def main() -> None:
    """Play a game that many watch, beside other games, and count late answers."""
    engine, admin = build_official_engine(), f"127.0.0.1:{free_port()}"
    compile_default()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_gateway(
            Path(folder) / "log.jsonl", "--admin", admin, OUTCOMES_URL=f"{folder}/outcomes.sqlite"
        ) as url,
    ):
        report, others, seen = asyncio.run(_watched(engine, url, f"http://{admin}"))
        click.echo(f"moves: {dict(moves_by_source(url))}")
    late = sum(milliseconds >= TIMEOUT for milliseconds in others)
    # The engine counts one turn more than it plays.
    missed = sum(turns != set(range(report.turns)) for turns in seen)
    click.echo(f"{report.turns} turns, {len(report.latencies)} answers, {report.late} late")
    click.echo(f"{GAMES} other games: {len(others)} answers, {late} late")
    click.echo(f"{WATCHERS} watchers: {missed} missed a turn")
    sys.exit(bool(report.late or late or missed))


async def _watched(engine: Path, url: str, console: str) -> tuple[GameReport, list[float], list[set[int]]]:
    """Return the game's report, the milliseconds of the other games' answers, and each watcher's turns."""
    setup = GameSetup("standard", "royale", shrink_every=10)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(console, connector=connector, headers=HEADERS) as client:
        # First, because starting the engine's process stops this one for a while.
        game = asyncio.create_task(asyncio.to_thread(run_game, engine, [url] * SNAKES, setup))
        watching = [asyncio.create_task(_watch(client)) for _ in range(WATCHERS)]
        await asyncio.sleep(SETTLING)
        async with _playing_beside(url) as others:
            report = await game
            async with asyncio.timeout(AFTER_END):
                seen = await asyncio.gather(*watching)
    return report, others, seen


@asynccontextmanager
async def _playing_beside(url: str) -> AsyncIterator[list[float]]:
    """Play other games until the block ends; yield the milliseconds of their answers so far."""
    answers: list[float] = []
    over = asyncio.Event()

    async def rounds() -> None:
        number = 0
        while not over.is_set():
            number += 1
            played = await play(url, GAMES, ROUND, f"{BESIDE}-{number}")
            answers.extend(move.milliseconds for move in played)

    playing = asyncio.create_task(rounds())
    yield answers
    over.set()
    await playing


async def _watch(client: aiohttp.ClientSession) -> set[int]:
    """Follow the watched game to its end; return the turns that were seen."""
    while (game := _watched_one(await games_of(client))) is None:
        await asyncio.sleep(0.1)
    return await follow(client, game)


async def games_of(client: aiohttp.ClientSession) -> list[dict[str, Any]]:
    """Return the games that a console lists, newest first."""
    games: list[dict[str, Any]] = (await _json(client, "/api/games"))["games"]
    return games


async def follow(client: aiohttp.ClientSession, game: str) -> set[int]:
    """Follow a live game to its end as the console's page does; return the turns that were seen."""
    async with client.get(f"/api/games/{game}/events", timeout=aiohttp.ClientTimeout()) as events:
        # The whole game has everything before the first event.
        seen = {turn["turn"] for turn in (await _json(client, f"/api/games/{game}"))["turns"]}
        name = b""
        async for line in events.content:
            if line.startswith(b"event: "):
                name = line.removeprefix(b"event: ").strip()
            elif line.startswith(b"data: ") and name == b"turn":
                seen.add(json.loads(line.removeprefix(b"data: "))["turn"])
            elif line.startswith(b"data: ") and name == b"end":
                break
    return seen


def _watched_one(games: Iterable[dict[str, Any]]) -> str | None:
    return next((game["id"] for game in games if not game["id"].startswith(BESIDE)), None)


async def _json(client: aiohttp.ClientSession, path: str) -> dict[str, Any]:
    async with client.get(path) as answer:
        answer.raise_for_status()
        found: dict[str, Any] = await answer.json()
    return found


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.watchers")
