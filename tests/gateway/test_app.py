"""The application as a whole."""

import asyncio
from pathlib import Path

import pytest
from aiohttp.test_utils import TestServer

from battlesnake_search.common.toml import TomlError
from gateway import app, webhooks
from gateway.game import games
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


@pytest.mark.parametrize("path", sorted(app.RESERVED_PATHS))
def test_no_snake_may_have_a_reserved_path(path: str, tmp_path: Path) -> None:
    """A snake at one of the gateway's own paths is an error with its field."""
    file = tmp_path / "routes.toml"
    arms = 'arms = [{ name = "a" }]'
    file.write_text(f'[[snakes]]\npath = "/a"\n{arms}\n[[snakes]]\npath = "{path}"\n{arms}\n')
    with pytest.raises(TomlError, match="is one of the gateway's own paths") as caught:
        app.build(Settings(searcher=NOBODY, routes=file))
    assert caught.value.field == "snakes[1].path"


async def test_games_are_looked_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with a silent engine are dropped without another request."""
    monkeypatch.setattr(app, "_INTERVAL", 0.01)
    built = app.build(Settings(searcher=NOBODY, console=NO_CONSOLE))
    async with TestServer(built), asyncio.timeout(10):
        built[webhooks.GAMES].start(recorded("standard-start-0"), choice())
        await asyncio.sleep(0.05)
        assert len(built[webhooks.GAMES]) == 1
        monkeypatch.setattr(games, "_FORGOTTEN", -1.0)
        while len(built[webhooks.GAMES]):
            await asyncio.sleep(0.005)
