"""The own console of a gateway whose searcher asks for a certificate's authority and a token."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest
import trustme

from battlesnake_search.common.access import new_token
from tests.gateway.gateway_process import start
from tests.support import admin, certificates
from tests.support.child_process import killed
from tests.support.command_process import PATIENCE
from tests.support.services import ONLY_DEFAULT, clean_environment, free_port


@dataclass(frozen=True)
class _Searcher:
    """A searcher with TLS and tokens, and the files that a gateway needs."""

    target: str
    authorities: Path
    token: Path

    @property
    def options(self) -> tuple[str, ...]:
        """The gateway's options for the credentials."""
        return "--searcher-ca", str(self.authorities), "--searcher-token", str(self.token)

    @property
    def variables(self) -> dict[str, str]:
        """The gateway's variables for the credentials."""
        files = {"CA": self.authorities, "TOKEN_FILE": self.token}
        return {f"SEARCHER_TARGET_{name}": str(file) for name, file in files.items()}


@pytest.fixture
async def searcher(tmp_path: Path) -> AsyncIterator[_Searcher]:
    """Run a real searcher."""
    files = certificates.write(tmp_path / "certificates", trustme.CA())
    token, entry = new_token("gateway")
    (tmp_path / "tokens.toml").write_text(f'[[tokens]]\nname = "gateway"\ndigest = "{entry.digest}"\n')
    (tmp_path / "token").write_text(token)
    port = free_port()
    listen = ("--listen", f"127.0.0.1:{port}", "--tokens", str(tmp_path / "tokens.toml"))
    options: tuple[str, ...] = (*listen, "--tls-cert", str(files.chain), "--tls-key", str(files.key))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "searcher", "serve", *options, env=clean_environment() | ONLY_DEFAULT
    )
    try:
        assert files.authorities
        yield _Searcher(f"grpcs://localhost:{port}", files.authorities, tmp_path / "token")
    finally:
        await killed(process)


@asynccontextmanager
async def _console(folder: Path, *options: str, **environment: str) -> AsyncIterator[aiohttp.ClientSession]:
    """Run a gateway with a console of its own, and yield a client of the console."""
    gateway, console = free_port(), free_port()
    environment |= {"ADMIN": f"127.0.0.1:{console}", "CONSOLE_TARGET": "", "OUTCOMES_URL": "none"}
    options = ("--host", "127.0.0.1", "--port", str(gateway), *options)
    process = await start(*options, log=str(folder / "log"), **environment)
    async with aiohttp.ClientSession(f"http://127.0.0.1:{console}", headers=admin.HEADERS) as client:
        try:
            yield client
        finally:
            await killed(process)


async def _strategies(client: aiohttp.ClientSession, searcher: _Searcher) -> list[str]:
    """Return the searches of the searcher, as soon as the console answers with them."""
    told = ""
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    async with client.get("/api/strategies", params={"searcher": searcher.target}) as answer:
                        told = await answer.text()
                        if answer.status == 200:
                            return [each["name"] for each in (await answer.json())["searches"]]
                except aiohttp.ClientConnectionError:
                    told = "no connection"
                await asyncio.sleep(0.1)
    except TimeoutError:
        pytest.fail(told)


async def test_the_own_console_has_the_credentials_for_the_targets_of_routes(
    tmp_path: Path, searcher: _Searcher
) -> None:
    """The credentials may have no --searcher: the routes name the targets, and the gateway tells them."""
    routes = tmp_path / "routes.toml"
    routes.write_text(f'[[snakes]]\npath = "/"\narms = [{{ name = "x", searcher = "{searcher.target}" }}]\n')
    async with _console(tmp_path, "--routes", str(routes), *searcher.options) as client:
        assert "paranoid" in await _strategies(client, searcher)
