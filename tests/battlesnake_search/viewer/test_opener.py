"""Games that can be dropped and pasted on the page of a game, in a real browser."""

import asyncio
import json

from tests.battlesnake_search.viewer.console import Console
from tests.battlesnake_search.viewer.test_analysis_page import OPENED, bodies, facts, visit
from tests.battlesnake_search.viewer.test_study_lines import shows, tree
from tests.console.web.console import running
from tests.console.web.script import duel
from tests.gateway.scripted_searcher import body
from tests.support.browser import Page
from tests.support.services import ROOT

GAME = ROOT / "tests" / "fixtures" / "games" / "duel.jsonl"

_DROP = """
    const [kind, text] = arguments;
    const data = new DataTransfer();
    if (kind === "file") {
        data.items.add(new File([text], "game.jsonl"));
    } else {
        data.setData("text/plain", text);
    }
    const event = kind === "paste"
        ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
        : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
    document.querySelector("h1").dispatchEvent(event);
"""


def give(page: Page, kind: str, text: str) -> None:
    """Drop a file, drop text or paste text on the page's title."""
    page.driver.execute_script(_DROP, kind, text)


def test_a_file_of_the_engine_is_dropped(page: Page, fake: str) -> None:
    """All turns of the game are there, with its winner, and a death has words without a cause."""
    visit(page, fake)
    lines = [json.loads(line) for line in GAME.read_text().splitlines()]
    give(page, "file", GAME.read_text())
    page.wait(f"{OPENED}.startsWith('Opened a game of {len(lines) - 2} turns.')")
    page.press("\ue010")
    last = lines[-2]["turn"]
    page.wait(shows(last, last))
    assert lines[-1]["winnerName"] in page.part("turn").text
    states = page.do("[...document.querySelectorAll('.card .state')].map(e => e.textContent)")
    assert f"died in turn {last}: cause unknown" in states
    assert tree(page)[-1] == "Opened game *"
    assert not page.complaints()


async def test_a_dropped_file_is_kept_by_a_click(page: Page) -> None:
    """The gateway then has the game, and the page opens the kept one."""
    async with running() as console:
        await asyncio.to_thread(_keep, page, console.url)
        kept = await console.get(f"/api/games/{duel().id}")
    assert len(kept["turns"]) == len(duel().turns)


def _keep(page: Page, url: str) -> None:
    page.visit(f"{url}/game.html")
    page.wait("document.querySelector('.cells') !== null")
    give(page, "file", GAME.read_text())
    page.wait(f"{OPENED}.startsWith('Opened a game of')")
    page.part("keep").click()
    page.wait(f"location.search === '?game={duel().id}' && document.querySelector('.cells') !== null")
    page.leave()


def test_a_body_is_dropped_and_pasted_anywhere(page: Page, fake: str) -> None:
    """A /move body opens as a line, beside what was there, and a paste into a field is left to the field."""
    for kind in ("file", "text", "paste"):
        visit(page, fake)
        give(page, kind, json.dumps(body()))
        page.wait(f"{OPENED} === 'Opened.'")
        expected = [
            " ".join(f"{c['x']},{c['y']}" for c in each["body"]) for each in body()["board"]["snakes"]
        ]
        assert bodies(page) == expected
        assert f"turn {body()['turn']}" in facts(page)
        assert tree(page) == ["Turn 0", "Opened position *"]


def test_the_address_of_a_game_is_dropped(page: Page, console: Console) -> None:
    """A game of another server is imported and opened. A server that has no such game says so."""
    page.visit(f"{console.address}/game.html?game={console.whole['id']}")
    page.wait("document.querySelector('.cells') !== null")
    give(page, "text", "https://arena.battlesnake.com/games/x")
    page.wait(f"{OPENED} === 'arena.battlesnake.com has no game x'")
    page.do("(window.former = true)")
    give(page, "paste", f" https://arena.battlesnake.com/games/{console.whole['id']} ")
    page.wait("window.former === undefined && document.querySelector('.cells') !== null")
    assert page.do("location.pathname + location.search") == f"/game.html?game={console.whole['id']}"
