"""The recorded outcomes of games by the official engine match how the games ended."""

import asyncio
from pathlib import Path

import grpc
import msgspec
import pytest
from aiohttp.test_utils import TestServer

from battlesnake_search.record.outcome import Outcome
from console.store.database import OutcomesDatabase, read_database
from gateway import app
from gateway.settings import Settings
from tests.console.serving import serving
from tests.console.store.outcome_samples import stored_outcomes
from tests.console.web.console import until_stored
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService
from tests.support.games import GameSetup, run_game

PATIENCE = 30.0
"""Seconds in which a console on a busy machine stores a game. A gateway waits less at its end."""


async def _play(
    engine: Path, setup: GameSetup, snakes: int, outcomes: OutcomesDatabase
) -> tuple[str, list[Outcome]]:
    """Play a game between gateways without searches; return the engine's last line and the recorded rows."""
    refused = ScriptedService(scripted_searcher.refusing(grpc.StatusCode.INVALID_ARGUMENT, times=1_000_000))
    async with scripted_searcher.searcher(refused) as target, serving(outcomes) as console:
        gateway = app.build(Settings(searcher=target, console=console.target))
        async with TestServer(gateway) as server:
            urls = [str(server.make_url("")).rstrip("/")] * snakes
            report = await asyncio.to_thread(run_game, engine, urls, setup)
            await until_stored(gateway, PATIENCE)
        rows = await stored_outcomes(outcomes.url)
        return report.ending, [msgspec.convert(row, Outcome) for row in rows]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("ruleset", "snakes"), [("standard", 2), ("standard", 4), ("constrictor", 4)])
async def test_results_and_places_are_those_of_the_game(
    official_engine: Path, tmp_path: Path, ruleset: str, snakes: int, seed: int
) -> None:
    """Winners and draws match the engine's; a snake that lived longer, and so moved more, places higher."""
    setup = GameSetup(ruleset, width=7, height=7, seed=seed)
    outcomes = read_database(str(tmp_path / "outcomes.sqlite"))
    ending, rows = await _play(official_engine, setup, snakes, outcomes)
    assert len(rows) == snakes
    assert all(len(row.opponents) == snakes - 1 and row.seen_from == 0 for row in rows)
    wins = [f"{row.snake} was the winner." for row in rows if row.result == "win"]
    assert wins == ([ending] if "winner" in ending else [])
    assert any(row.result == "draw" for row in rows) == ("draw" in ending)
    for row in rows:
        place = 1 + sum(other.moves > row.moves for other in rows)
        assert row.place in (place, None)
        assert row.place is not None or (row.result == "loss" and snakes > 2)


async def test_a_solo_game_has_turns_and_no_result(official_engine: Path, tmp_path: Path) -> None:
    """The outcome of a solo game has no result, place or opponents."""
    outcomes = read_database(str(tmp_path / "outcomes.sqlite"))
    _, [row] = await _play(official_engine, GameSetup("solo", width=7, height=7), 1, outcomes)
    assert (row.result, row.place, row.opponents) == (None, None, []) and row.turns > row.moves > 0
