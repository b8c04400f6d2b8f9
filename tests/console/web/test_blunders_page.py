"""Blunders on the page of a game, in a real browser, beside a searcher that follows a script."""

import asyncio
from pathlib import Path

from console.store.database import read_database
from tests.battlesnake_search.viewer.test_game_page import PHONE
from tests.console.console_process import output
from tests.console.web.console import running
from tests.console.web.script import DUEL, FATAL, duel, scores
from tests.support.browser import DESKTOP, Page

SAID = "document.querySelector('[data-part=review-said]')"


async def test_the_losing_turn_is_found_by_a_click(page: Page, tmp_path: Path) -> None:
    """The button names the losing turn, and the list leads to it, on desktop and phone."""
    file = tmp_path / "games.sqlite"
    await output("games", "import", str(DUEL), "--outcomes", str(file))
    async with running(analyses=scores, outcomes=read_database(str(file))) as console:
        for size in (DESKTOP, PHONE):
            await asyncio.to_thread(_find, page, f"{console.url}/game.html?game={duel().id}", size)


def _find(page: Page, address: str, size: tuple[int, int]) -> None:
    page.leave()
    page.visit(address, size)
    page.wait("document.querySelector('[data-part=review]') !== null")
    page.do("document.querySelector('[data-part=review]').click()")
    page.wait(f"{SAID}.textContent.includes('Turn {FATAL} lost the game: ')")
    # The list follows the sentence, and each new result replaces its links.
    page.wait("(link => link && (link.click(), true))(document.querySelector('[data-part=blunders] a'))")
    page.wait(f"document.querySelector('[data-part=turn]').textContent.startsWith('Turn {FATAL} ')")
    assert page.violations() == []
    assert page.complaints() == []
