"""Pages in a headless browser that looks once, as the commands for pictures and for the document do."""

import re
from pathlib import Path

import pytest

from battlesnake_search.ports.admin_address import AdminAddress
from tests.console.web.console import running
from tests.support.browser import look, missing
from tests.support.dependencies import report_missing
from tests.support.services import free_port

pytestmark = pytest.mark.rest("browsers")


@pytest.fixture(autouse=True)
def _browser() -> None:
    if package := missing():
        report_missing("The browser that looks at the console once", package)


@pytest.mark.parametrize("is_public", [False, True])
async def test_a_single_look_shows_the_content(is_public: bool, tmp_path: Path) -> None:
    """The first page has its games, the boards of running ones, and the page of a game has its board."""
    address = AdminAddress("127.0.0.1", free_port())
    async with running(public_pages=address) as console:
        await console.play("over", range(10))
        await console.play("live", range(10), ends=False)
        url = f"http://{address.host}:{address.port}" if is_public else console.url
        home = await look(f"{url}/", tmp_path, "--dump-dom")
        assert re.search(r'href="game.html\?game=over"', home) and "Turn 9" in home
        assert is_public or "1 searcher serving" in home
        for game in ("over", "live"):
            shown = await look(f"{url}/game.html?game={game}&turn=5", tmp_path, "--dump-dom")
            assert "Turn 5 of" in shown and 'data-cells="' in shown
