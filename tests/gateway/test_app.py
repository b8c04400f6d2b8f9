"""The application as a whole."""

import asyncio

import pytest
from aiohttp.test_utils import TestServer

from gateway import app, webhooks
from gateway.game import running_games
from gateway.settings import NO_CONSOLE, Settings
from tests.console.store.outcome_samples import choice, recorded

NOBODY = "127.0.0.1:1"


def test_the_paths_of_the_application_are_reserved() -> None:
    """Each of the gateway's own paths except / is reserved."""
    built = app.build(Settings(searcher=NOBODY, console=NO_CONSOLE, public_metrics=True))
    handled = {resource.canonical for resource in built.router.resources()}
    assert handled - {"/"} == app.RESERVED_PATHS
    own = {"/start", "/move", "/end", "/healthz", "/readyz", "/metrics"}
    assert own == app.RESERVED_PATHS


async def test_games_are_looked_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with a silent engine are dropped without another request."""
    monkeypatch.setattr(app, "_INTERVAL", 0.01)
    built = app.build(Settings(searcher=NOBODY, console=NO_CONSOLE))
    async with TestServer(built), asyncio.timeout(10):
        built[webhooks.GAMES].start(recorded("standard-start-0"), choice())
        await asyncio.sleep(0.05)
        assert len(built[webhooks.GAMES]) == 1
        monkeypatch.setattr(running_games, "_FORGOTTEN", -1.0)
        while len(built[webhooks.GAMES]):
            await asyncio.sleep(0.005)
