"""The port of the pages: it comes back after a restart, and makes room for a snake."""

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import aiohttp
import pytest

from battlesnake_search.common.access import TokenFile
from battlesnake_search.common.logs import EventDict
from battlesnake_search.ports.admin_address import YIELD_PATH, AdminAddress
from console.settings import Settings
from tests.console.web.console import recording
from tests.support import admin
from tests.support.logs import capture_logs
from tests.support.services import free_port

IS_AT = "the console is at "

FREE = AdminAddress("127.0.0.1", 0)


class Served:
    """A console: a client, and the addresses that it has logged."""

    def __init__(self, client: aiohttp.ClientSession, lines: list[EventDict]) -> None:
        self.client = client
        self._lines = lines

    @property
    def urls(self) -> list[str]:
        """Its addresses, the oldest first."""
        events = [str(line["event"]) for line in self._lines]
        return [event.removeprefix(IS_AT) for event in events if event.startswith(IS_AT)]

    @property
    def port(self) -> int:
        """The port of the newest address."""
        return int(self.urls[-1].rstrip("/").rpartition(":")[2])

    async def ask(self, **headers: str) -> int:
        """Ask it to leave its port; return the status of the answer."""
        url = f"http://127.0.0.1:{self.port}{YIELD_PATH}"
        async with self.client.post(url, json={}, headers=headers) as answer:
            return answer.status

    async def answers(self) -> int:
        """Return the status of the answer at the newest address."""
        async with self.client.get(f"{self.urls[-1]}healthz") as answer:
            return answer.status


@asynccontextmanager
async def _console(
    address: AdminAddress, folder: Path | None = None, tokens: TokenFile | None = None
) -> AsyncIterator[Served]:
    settings = Settings(admin=address, folder=folder, admin_tokens=tokens)
    with capture_logs() as lines:
        async with recording(settings), aiohttp.ClientSession() as client:
            yield Served(client, lines)


async def test_a_console_comes_back_at_its_port(tmp_path: Path) -> None:
    """So does one whose first choice was taken."""
    async with _console(FREE, tmp_path) as first:
        port = first.port
    async with _console(FREE, tmp_path) as second:
        assert second.port == port and await second.answers() == 200
    with _taken() as taken:
        elsewhere = AdminAddress("127.0.0.1", taken, is_chosen=False)
        async with _console(elsewhere, tmp_path) as third:
            assert third.port == port


@pytest.mark.parametrize("text", ["", "x", "-1", "70000"])
async def test_a_damaged_memory_costs_nothing(tmp_path: Path, text: str) -> None:
    """The console has a free port."""
    (tmp_path / "admin-port").write_text(text)
    async with _console(FREE, tmp_path) as console:
        assert await console.answers() == 200


async def test_a_console_makes_room_for_a_snake(tmp_path: Path) -> None:
    """Its port is free before the answer. It needs no token, and a restart comes back at the new address."""
    async with _console(FREE, tmp_path, TokenFile(admin.TOKENS)) as console:
        before = console.port
        assert await console.ask() == 200
        with _taken(before):
            assert console.port != before and await console.answers() == 200
        after = console.port
    async with _console(FREE, tmp_path) as console:
        assert console.port == after


async def test_a_chosen_port_stays() -> None:
    """Its user relies on it."""
    async with _console(AdminAddress("127.0.0.1", free_port())) as console:
        assert await console.ask() == 403
        assert len(console.urls) == 1 and await console.answers() == 200


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "Via", "Origin"])
async def test_the_callers_of_a_proxy_and_pages_move_no_console(header: str) -> None:
    """Only programs of this machine may."""
    async with _console(FREE) as console:
        assert await console.ask(**{header: "http://example.com"}) == 403
        assert len(console.urls) == 1


@contextmanager
def _taken(port: int = 0) -> Iterator[int]:
    """Listen at all addresses, as a snake does; yield the port."""
    with socket.create_server(("0.0.0.0", port)) as server:
        yield server.getsockname()[1]
