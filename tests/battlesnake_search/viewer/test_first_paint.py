"""How soon the page of a game shows its board over a slow connection."""

import asyncio
from pathlib import Path

from console.store.database import read_database
from tests.console.console_process import output
from tests.console.web.console import running
from tests.console.web.script import DUEL, duel
from tests.support.browser import Page

BOUND = 3.0
"""Seconds, a generous bound. The page takes half of it, and with a request for each module it took five."""

_WATCH = """(() => {
    const look = () => requestAnimationFrame(() => {
        if (document.querySelector('.board .snake')) {
            setTimeout(() => { window.painted = performance.now(); });
        } else {
            look();
        }
    });
    look();
})()"""
_SLOW = {"offline": False, "latency": 300, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
_FAST = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}


async def test_the_board_is_there_soon(page: Page, tmp_path: Path) -> None:
    """With 1.6 Mbit/s and 300 ms, the board needs two round trips, and the game is requested once."""
    file = tmp_path / "games.sqlite"
    await output("games", "import", str(DUEL), "--outcomes", str(file))
    async with running(outcomes=read_database(str(file))) as console:
        await asyncio.to_thread(_open, page, f"{console.url}/game.html?game={duel().id}#turn=3")


def _open(page: Page, address: str) -> None:
    watch = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _WATCH})
    page.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", _SLOW)
    try:
        page.visit(address)
        page.wait("window.painted !== undefined")
        assert page.do("window.painted") < BOUND * 1000
        requests = page.do("performance.getEntriesByType('resource').map(e => new URL(e.name).pathname)")
        assert requests.count(f"/api/games/{duel().id}") == 1
        assert len([each for each in requests if each.endswith((".js", ".css"))]) == 3
    finally:
        page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", _FAST)
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", watch)
        page.leave()
