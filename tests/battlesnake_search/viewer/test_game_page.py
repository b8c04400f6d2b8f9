"""The console's page of a game in a real browser: recorded and live, by keyboard, on desktop and phone."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.battlesnake_search.viewer.console import Console
from tests.support.browser import DESKTOP, Page

PHONE = (390, 844)
TIMES = "\N{MULTIPLICATION SIGN}"


def visit(
    page: Page, console: Console, game: str = "", after: str = "", size: tuple[int, int] = DESKTOP
) -> None:
    """Open a game's page, by default the recorded game's, and wait for its board."""
    page.visit(f"{console.address}/game.html?game={game or console.whole['id']}{after}", size)
    page.wait("document.querySelector('.cells') !== null")


def text(page: Page, selector: str) -> str:
    """The text of an element."""
    return page.driver.find_element(By.CSS_SELECTOR, selector).text


def test_the_address_has_the_turn(page: Page, console: Console) -> None:
    """The page opens at the turn of the query. The copied link, a step and the # have the turn once each."""
    grant = {"origin": console.address, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    page.driver.execute_cdp_cmd("Browser.grantPermissions", grant)
    visit(page, console, after="&turn=57")
    turn = console.whole["turns"][57]
    bodies = {
        str(index): " ".join(f"{x},{y}" for x, y in snake["body"])
        for index, snake in enumerate(turn["snakes"])
        if snake
    }
    assert (page.turn, page.shown().bodies) == (57, bodies)
    assert page.shown().food == sorted(f"{x},{y}" for x, y in turn["food"])
    page.part("copy").click()
    page.wait("document.querySelector('[data-part=said]').textContent === 'Copied the link to turn 57.'")
    page.driver.set_script_timeout(10)
    copied = page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    assert copied == f"{console.address}/game.html?game={console.whole['id']}#turn=57"
    page.press(Keys.ARROW_RIGHT)
    page.wait("location.hash === '#turn=58'")
    go(page, 12)


def go(page: Page, turn: int) -> None:
    """Change the turn of the address, and wait for the turn."""
    page.do(f"location.hash = '#turn={turn}'")
    page.wait(f"document.querySelector('[data-part=turn]').textContent.startsWith('Turn {turn} ')")


def test_the_panel_tells_all_of_a_decision(page: Page, console: Console) -> None:
    """Its candidates, depth, nodes, time, stop reason and expected line, a proven end, and a late answer."""
    decision = console.whole["turns"][57]["decisions"][1]
    visit(page, console, after="#turn=57")
    assert text(page, ".decision h2").split("\n") == [
        f"ours: \N{UPWARDS ARROW} {decision['move']}",
        "in turn 57",
    ]
    facts = page.do(
        "Object.fromEntries([...document.querySelectorAll('[data-fact]')]"
        ".map(e => [e.dataset.fact, e.textContent]))"
    )
    assert facts["strategy"] == "crowd/hungry"
    assert facts["depth"] == f"{decision['depth']} turns"
    assert facts["nodes"] == f"{decision['nodes']:,}"
    assert facts["time used"].replace("\xa0", " ") == f"{decision['time_ms']:.0f} of 440 ms"
    assert facts["stopped by"] == "node limit"
    rows = page.do(
        "[...document.querySelectorAll('.candidates tbody tr[data-move]')].map(e => e.dataset.move)"
    )
    assert rows == [each["move"] for each in decision["moves"]]
    line = page.do("[...document.querySelectorAll('.lines [data-line=\"1\"] td')].map(e => e.title)")
    assert line == [joint[1] for joint in decision["pv"]]
    decided = {turn["turn"]: turn["decisions"][1] or {"moves": []} for turn in console.whole["turns"]}
    proven, outcome = next(
        (turn, move["outcome"]) for turn, each in decided.items() for move in each["moves"] if move["outcome"]
    )
    go(page, proven)
    assert f"{outcome['kind']} in {outcome['turns']}" in text(page, ".candidates")
    late = [turn for turn, each in decided.items() if each.get("late")]
    go(page, late[0])
    marks = page.do("document.querySelector('.faults').getAttribute('d').split('M').length - 1")
    assert marks == len(late) > 0
    assert text(page, ".decision .fault") == "late"


def test_a_turn_is_chosen_on_the_graph_or_by_its_number(page: Page, console: Console) -> None:
    """The graph and its table lead to a turn. A number that is not in the game leads to the nearest turn."""
    visit(page, console)
    plot = page.driver.find_element(By.CSS_SELECTOR, ".plot")
    page.do("document.querySelector('.plot').scrollIntoView()")
    plot.click()
    last = console.whole["turns"][-1]["turn"]
    assert abs(page.turn - last / 2) <= 1
    page.driver.find_element(By.CSS_SELECTOR, ".table summary").click()
    page.wait("document.querySelectorAll('.turn-link').length > 100")
    page.do("document.querySelectorAll('.turn-link')[3].click()")
    assert page.turn == 3
    for typed, shown in (("57", "Turn 57 of"), ("9999", f"Turn {last} of")):
        page.part("number").send_keys(Keys.CONTROL, "a")
        page.part("number").send_keys(typed, Keys.ENTER)
        page.wait(f"document.querySelector('[data-part=turn]').textContent.startsWith('{shown}')")


def test_lines_territory_and_cards_are_drawn(page: Page, console: Console) -> None:
    """V hides our line. T shades the cells by the snake that reaches them first. Each snake has a card."""
    visit(page, console, after="#turn=57")
    page.part("stage").click()
    assert page.do("document.querySelectorAll('.pv .path').length") == 4
    page.press("t")
    owners = page.do("[...document.querySelectorAll('[data-owner]')].map(e => e.dataset.owner)")
    assert set(owners) == {"0", "1", "2", "3"} and len(owners) > 60
    page.press("t", "v")
    assert page.do("document.querySelectorAll('.territory, .pv').length") == 0
    go(page, 0)
    cards = page.driver.find_elements(By.CSS_SELECTOR, ".card")
    reports = [card.find_element(By.CSS_SELECTOR, ".report").is_displayed() for card in cards]
    assert reports == [False, True, False, False]
    assert cards[0].text.splitlines() == ["shapeshifter", "health 100 · length 3", "Choose"]
    assert text(page, ".stack") == f"{TIMES}3"


def test_the_keyboard_alone_is_enough(page: Page, console: Console) -> None:
    """Keys work from the start. Tab reaches every control of the viewer and shows the focus."""
    visit(page, console)
    page.press(Keys.END)
    assert page.turn == 207
    page.press(Keys.HOME, " ")
    page.wait("document.querySelector('[data-part=turn]').textContent.startsWith('Turn 2 ')")
    page.press(" ")
    reached = set()
    for _ in range(60):
        page.press(Keys.TAB)
        reached.add(page.do("document.activeElement.dataset.part ?? document.activeElement.tagName"))
        assert page.do("getComputedStyle(document.activeElement).outlineStyle") in ("solid", "auto")
        if page.do("document.activeElement.dataset.part") == "toggle":
            break
    parts = "stage slider play speed territory scores edit copy svg png SUMMARY toggle"
    assert set(parts.split()) <= reached
    for pressed in ("false", "true"):
        page.press(Keys.ENTER)
        assert page.do("document.activeElement.getAttribute('aria-pressed')") == pressed


def test_the_picture_stands_alone(page: Page, console: Console) -> None:
    """The saved SVG has its own colours and draws without the page. The PNG has 1200 pixels."""
    visit(page, console, after="#turn=57")
    page.driver.set_script_timeout(10)
    picture, size = page.driver.execute_async_script(
        "const done = arguments[0]; import('/viewer/picture.js').then(async m => {"
        " const board = document.querySelector('.board'); const blob = await m.pngOf(board);"
        " const png = await createImageBitmap(blob); done([m.pictureOf(board), [png.width, png.height]]); })"
    )
    assert size == [1200, 1200]
    assert picture.startswith("<svg") and "var(" not in picture and "rgb(" in picture
    page.part("svg").click()
    assert text(page, "[data-part=said]") == "Saved the picture as SVG."
    page.part("png").click()
    page.wait("document.querySelector('[data-part=said]').textContent === 'Saved the picture as PNG.'")
    assert not page.complaints()


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "dark"), (PHONE, "light")])
def test_the_page_is_accessible(page: Page, console: Console, size: tuple[int, int], scheme: str) -> None:
    """Axe finds nothing with all parts shown, nothing scrolls sideways, and fingers hit the controls."""
    page.prefer(scheme)
    visit(page, console, after="#turn=57", size=size)
    page.part("stage").click()
    page.press("v", "t")
    page.driver.find_element(By.CSS_SELECTOR, ".table summary").click()
    assert page.violations() == []
    assert page.do("document.documentElement.scrollWidth") <= size[0]
    smallest = page.do(
        "Math.min(...[...document.querySelectorAll('.controls button, .tools button, select')]"
        ".filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect())"
        ".map(({ width, height }) => Math.min(width, height)))"
    )
    assert smallest >= (44 if size == PHONE else 36)
    assert not page.complaints()


def test_light_and_dark_can_be_chosen(page: Page, console: Console) -> None:
    """The button changes between light and dark, and the next page keeps the choice."""
    visit(page, console)
    paper = page.do("getComputedStyle(document.body).backgroundColor")
    page.part("theme").click()
    dark = page.do("getComputedStyle(document.body).backgroundColor")
    visit(page, console)
    assert page.do("getComputedStyle(document.body).backgroundColor") == dark != paper
    page.part("theme").click()
    assert page.do("getComputedStyle(document.body).backgroundColor") == paper
