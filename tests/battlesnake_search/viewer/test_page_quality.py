"""The page of a game for all its readers: announcements, focus, coordinates, names, paper and zoom."""

import base64
import re

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.battlesnake_search.viewer.console import Console
from tests.battlesnake_search.viewer.test_analysis_page import recorded, search
from tests.battlesnake_search.viewer.test_analysis_page import visit as visit_analysis
from tests.battlesnake_search.viewer.test_game_page import visit
from tests.support.browser import DESKTOP, PATIENCE, Page

_LISTEN = """(() => {
    window.spoken = [];
    const regions = '[aria-live]:not([aria-live=off]), [role=status], [role=alert]';
    for (const region of document.querySelectorAll(regions)) {
        new MutationObserver(() => region.textContent && window.spoken.push(region.textContent))
            .observe(region, { childList: true, characterData: true, subtree: true });
    }
})()"""


def watched(page: Page, console: Console, game: str) -> None:
    """Wait until the page follows a live game."""
    WebDriverWait(page.driver, PATIENCE).until(lambda _: console.watched(game))


_REFUSED = """(() => {
    if (document.body.textContent.includes('answered 405'))
        return true;
    // A page that is drawn again meanwhile forgets a focus at rest.
    if (Date.now() - (window.tried ?? 0) > 1000) {
        window.tried = Date.now();
        document.activeElement.blur();
        document.querySelectorAll('.step')[1].focus();
    }
    return false;
})()"""


def test_live_regions_speak_once_a_turn(page: Page, console: Console) -> None:
    """A turn, its decision and the request that repeats both are one announcement. The focus stays."""
    game = console.start_live(20)
    visit(page, console, game)
    watched(page, console, game)
    page.wait("document.querySelectorAll('.step').length > 1")
    # The step asks for its position, and this server plays no turns.
    page.wait(_REFUSED)
    page.do(_LISTEN)
    for turn in (20, 21, 22):
        console.play_live(game)
        page.wait(
            f"document.querySelector('[data-part=turn]').textContent === 'Turn {turn} of {turn} · live'"
        )
        page.wait(f"document.querySelector('.decision h2 .note').textContent === 'in turn {turn}'")
    assert page.do("window.spoken") == [f"Turn {turn} of {turn} · live" for turn in (20, 21, 22)]
    assert page.do("document.activeElement.dataset.key") == "step-1"
    for part in ("back", "copy", "territory", "choose", "scores"):
        page.part(part).click()
        assert page.do("document.activeElement.dataset.part") == part


def test_a_search_speaks_when_it_ends(page: Page, fake: str) -> None:
    """The depths of a search are not announced, but its result is."""
    visit_analysis(page, fake)
    page.do(_LISTEN)
    search(page, 600)
    assert page.do("document.querySelectorAll('.depths tbody tr').length") > 3
    [said] = page.do("window.spoken")
    assert re.fullmatch(r"The search has ended: left, win in 3, depth \d+\.", said)


def test_the_board_is_told_by_coordinates(page: Page, console: Console) -> None:
    """A screen reader gets the cells of food and snakes. A copied link keeps the chosen snake."""
    visit(page, console, after="#turn=57")
    nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    names = {node["name"]["value"] for node in nodes if node.get("name") and not node.get("ignored")}
    turn = console.whole["turns"][57]
    assert {f"food at {x}, {y}" for x, y in turn["food"]} <= names
    head, *rest = (", ".join(map(str, cell)) for cell in turn["snakes"][1]["body"])
    assert f"ours: head at {head}, body at {'; '.join(rest)}" in names
    # The link of another snake than ours names it, and opens with it chosen.
    page.driver.find_elements(By.CSS_SELECTOR, "[data-part=choose]")[2].click()
    page.part("copy").click()
    page.wait("location.hash.includes('snake=')")
    chosen = console.whole["snakes"][2]["id"]
    assert page.do("location.hash") == f"#turn=57&snake={chosen}"
    page.visit(page.driver.current_url)
    page.wait("document.querySelector('.cells') !== null")
    pressed = page.do("[...document.querySelectorAll('[data-part=choose]')].map(e => e.ariaPressed)")
    assert pressed == ["false", "false", "true", "false"]


def test_a_fault_of_the_page_is_a_sentence(page: Page, console: Console) -> None:
    """A game that no gateway sends is told in words for people, and not in JavaScript's."""
    console.games["odd"] = console.whole | {"id": "odd", "snakes": None}
    page.visit(f"{console.address}/game.html?game=odd")
    page.wait(
        "document.getElementById('problem').textContent === 'This page has a fault. Reload it to go on.'"
    )
    assert page.complaints()
    # A game without snakes is none.
    turns = [turn | {"snakes": [], "decisions": [], "deaths": []} for turn in console.whole["turns"][:3]]
    console.games["empty"] = console.whole | {"id": "empty", "snakes": [], "turns": turns, "result": None}
    visit(page, console, "empty")
    assert page.part("decision").text.startswith("No snake")
    assert not page.complaints()


def test_no_page_is_light_for_a_moment(page: Page, console: Console) -> None:
    """A reader who has chosen dark sees the first frame in dark, although the system is light."""
    page.visit(f"{console.address}/viewer/words.js")
    page.do("localStorage.setItem('viewer-theme', 'dark')")
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    frame = f"() => requestAnimationFrame(() => {{ window.first = {scheme}; }})"
    source = {"source": f"document.addEventListener('readystatechange', {frame}, {{ once: true }})"}
    script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", source)
    try:
        for name in ("game.html?game=x", "index.html", "experiments.html", "missing.html"):
            page.visit(f"{console.address}/{name}")
            page.wait("window.first !== undefined")
            assert page.do("window.first") == "dark", name
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        page.do("localStorage.removeItem('viewer-theme')")


@pytest.mark.parametrize(
    ("size", "letters"),
    [((320, 640), "100%"), (DESKTOP, "200%")],
    ids=["page at 400 %", "text at 200 %"],
)
def test_zoom_works(page: Page, console: Console, size: tuple[int, int], letters: str) -> None:
    """Enlarged, nothing scrolls sideways, and nothing covers a control."""
    visit(page, console, after="#turn=57", size=size)
    page.driver.execute_script("document.documentElement.style.fontSize = arguments[0]", letters)
    assert page.do("document.documentElement.scrollWidth") <= size[0]
    covered = page.do(
        "[...document.querySelectorAll('.play button, .play input')].filter(e => e.checkVisibility())"
        ".filter(e => { e.scrollIntoView({ block: 'center' }); const box = e.getBoundingClientRect();"
        " const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
        " return !(e.contains(hit) || hit?.contains(e)); }).map(e => e.outerHTML)"
    )
    assert covered == []


def test_a_page_is_printed(page: Page, console: Console) -> None:
    """On paper are the board and the decision, dark on white, without controls, on few sheets."""
    page.prefer("dark")
    visit(page, console, after="#turn=57")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert page.do("getComputedStyle(document.documentElement).colorScheme") == "light"
        assert page.do("document.querySelector('.board').checkVisibility()")
        assert not page.do("[...document.querySelectorAll('button, .top')].some(e => e.checkVisibility())")
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    printed = page.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    pdf = base64.b64decode(printed["data"])
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) <= 2


def test_all_of_the_page_is_reached_by_keyboard(page: Page, real: str) -> None:
    """Tab reaches the lines, the expected line, the search, the strategies and the field."""
    visit_analysis(page, real, f"?game={recorded()}#turn=57", size=DESKTOP)
    reached = set()
    for _ in range(90):
        page.press(Keys.TAB)
        reached.add(
            page.do(
                "document.activeElement.dataset.key ?? document.activeElement.dataset.part"
                " ?? document.activeElement.textContent"
            )
        )
    wanted = {
        "edit",
        "review",
        "step-0",
        "line",
        "start",
        "compare",
        "Strategy",
        "What the evaluator says",
        "line-0",
        "play-turn",
        "The evaluator over time",
        "The same as a table",
        "choose",
        "paste",
        "open",
        "copy-body",
    }
    assert wanted <= reached, wanted - reached
    assert not page.complaints()
