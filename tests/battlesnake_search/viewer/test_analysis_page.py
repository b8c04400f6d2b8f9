"""The search of a position on the console's page, in a real browser."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.battlesnake_search.viewer.console import recorded_game
from tests.battlesnake_search.viewer.test_game_page import PHONE
from tests.support.browser import DESKTOP, Page

ENDED = """[...document.querySelectorAll('.column:not([hidden]) [data-part=state]')]
    .every(each => each.textContent.startsWith('The search has ended: '))"""
OPENED = "document.querySelector('[data-part=opened]').textContent"


def visit(page: Page, address: str, after: str = "", size: tuple[int, int] = DESKTOP) -> None:
    """Open the page, and wait for the board and the strategies."""
    page.visit(f"{address}/game.html{after}", size)
    page.wait("document.querySelector('.cells') !== null")
    if "game=" not in after:
        page.wait("document.querySelector('.column select').options.length > 1")


def bodies(page: Page) -> list[str]:
    """The cells of each snake on the board, head first."""
    cells: list[str] = page.do("[...document.querySelectorAll('.snake')].map(e => e.dataset.cells)")
    return cells


def set_number(page: Page, label: str, value: int, place: int = 0) -> None:
    """Type a number into a field."""
    found = page.driver.find_elements(By.XPATH, f"//div[label[normalize-space()='{label}']]/input")[place]
    found.send_keys(Keys.CONTROL, "a")
    found.send_keys(str(value), Keys.TAB)


def search(page: Page, milliseconds: int = 200) -> None:
    """Search until the end."""
    set_number(page, "Time, ms", milliseconds)
    page.part("start").click()
    page.wait(ENDED)


def facts(page: Page) -> str:
    """The page's facts about the position."""
    return page.driver.find_element(By.ID, "facts").text


def paste(page: Page, text: str) -> None:
    """Open a pasted text."""
    page.driver.execute_script("arguments[0].value = arguments[1]", page.part("paste"), text)
    page.part("open").click()


def choose_strategy(page: Page, place: int = 0) -> None:
    """Choose the algorithm steady and the evaluator weighed, and show the weights."""
    column = page.driver.find_elements(By.CSS_SELECTOR, ".column")[place]
    column.find_element(By.CSS_SELECTOR, ".strategy summary").click()
    page.wait("document.querySelector('.column select').options.length > 1")
    for each, name in zip(column.find_elements(By.TAG_NAME, "select"), ("steady", "weighed"), strict=True):
        Select(each).select_by_visible_text(name)
    column.find_element(By.CSS_SELECTOR, ".weights summary").click()


def test_two_strategies_search_side_by_side(page: Page, fake: str) -> None:
    """Each column has its own strategy, depths and result. A search that is stopped keeps its depths."""
    visit(page, fake)
    page.part("compare").click()
    search(page)
    columns = page.driver.find_elements(By.CSS_SELECTOR, ".column")
    page.do("document.querySelectorAll('.depths').forEach(each => { each.open = true; })")
    assert all(len(each.find_elements(By.CSS_SELECTOR, ".depths tbody tr")) > 2 for each in columns)
    assert all(each.find_elements(By.CSS_SELECTOR, ".decision [data-move=left]") for each in columns)
    page.part("start").click()
    set_number(page, "Time, ms", 50_000)
    page.part("start").click()
    page.wait("document.querySelectorAll('.depths tbody tr').length > 2")
    assert page.part("start").get_attribute("aria-pressed") == "true"
    page.part("start").click()
    page.wait("document.querySelector('[data-part=state]').textContent === 'Stopped.'")
    assert page.part("start").get_attribute("aria-pressed") == "false"
    assert len(page.do("document.querySelectorAll('.depths tbody tr')")) > 2


def test_weights_have_sliders_within_their_bounds(page: Page, fake: str) -> None:
    """A slider shows its value, is sent with the search, and is reset. A refusal of the searcher is shown."""
    visit(page, fake)
    choose_strategy(page)
    column = page.driver.find_element(By.CSS_SELECTOR, ".column")
    slider = column.find_elements(By.CSS_SELECTOR, "[type=range]")[1]
    assert (slider.get_attribute("min"), slider.get_attribute("max")) == ("-1", "1")
    slider.send_keys(Keys.END)
    assert [each.text for each in column.find_elements(By.TAG_NAME, "output")] == ["1", "1"]
    search(page)
    page.part("start").click()
    page.part("reset").click()
    assert [each.text for each in column.find_elements(By.TAG_NAME, "output")] == ["1", "0.5"]
    assert not column.find_element(By.CSS_SELECTOR, ".depths").is_displayed()
    page.driver.find_element(By.CSS_SELECTOR, ".weights [type=range]").send_keys(Keys.END)
    page.do("(document.querySelector('.column select').value = 'auto')")
    page.part("start").click()
    page.wait("document.querySelector('.column .problem').textContent.includes('must be')")


def test_the_search_goes_on_with_the_position(page: Page, fake: str) -> None:
    """While the search is on, each position that is shown is searched. Its result is kept."""
    visit(page, fake, f"?game={recorded()}#turn=57")
    search(page)
    first = page.do("document.querySelector('.column .decision .note').textContent")
    page.press(Keys.ARROW_RIGHT)
    page.wait("document.querySelector('.column .decision .note').textContent === 'in turn 58'")
    page.wait(f"document.querySelectorAll('.depths tbody tr').length > 2 && {ENDED}")
    page.press(Keys.ARROW_LEFT)
    assert page.do("document.querySelector('.column .decision .note').textContent") == first == "in turn 57"
    assert page.do("document.querySelectorAll('.depths tbody tr').length") > 2
    assert not page.complaints()


def recorded() -> str:
    """The id of the recorded game."""
    return str(recorded_game()["id"])


def test_scores_are_marks_beside_the_head(page: Page, real: str) -> None:
    """Each candidate has a mark with its score on its cell, a bound as a bound; S hides the marks."""
    visit(page, real)
    search(page, 700)
    rows = page.do(
        "Object.fromEntries([...document.querySelectorAll('.column tr[data-move]')].map(e => "
        "[e.dataset.move, e.querySelector('.words').textContent.startsWith('≤')]))"
    )
    marks = page.do(
        "Object.fromEntries([...document.querySelectorAll('[data-mark]')].map(e => "
        "[e.dataset.mark, e.classList.contains('bound')]))"
    )
    assert marks == rows and len(marks) == 3
    head = page.do("document.querySelector('.snake').dataset.cells").split()[0]
    assert head == "2,4"
    box = page.do(
        "(e => [Number(e.getAttribute('x')), Number(e.getAttribute('y'))])"
        "(document.querySelector('[data-mark=up]'))"
    )
    assert box == pytest.approx([2.05, 5.05])
    page.part("stage").click()
    page.press("s")
    assert page.do("document.querySelectorAll('[data-mark], [data-label]').length") == 0


def test_the_evaluator_speaks_over_time(page: Page, real: str) -> None:
    """The terms of the shown turn and their largest change are a sentence, and each term has a plot."""
    visit(page, real, f"?game={recorded()}#turn=57")
    page.driver.find_element(By.CSS_SELECTOR, ".overtime summary").click()
    said = "document.querySelector('[data-part=overtime-said]').textContent"
    page.wait(f"/^Turn 57: .*\\. Since turn 47, \\w+ has changed the most, by .\\d/.test({said})")
    page.wait("document.querySelectorAll('.overtime .own').length > 4")
    page.press(Keys.ARROW_RIGHT)
    page.wait(f"{said}.startsWith('Turn 58: ')")
    assert not page.complaints()


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "dark"), (PHONE, "light")])
def test_the_page_is_accessible(page: Page, real: str, size: tuple[int, int], scheme: str) -> None:
    """With all shown, axe finds nothing, nothing scrolls sideways, and the console stays empty."""
    page.prefer(scheme)
    visit(page, real, size=size)
    page.part("compare").click()
    page.part("edit").click()
    page.do("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    search(page)
    page.wait("document.querySelectorAll('.column .terms [data-weight]').length > 6")
    assert page.violations() == []
    assert page.do("document.documentElement.scrollWidth") <= size[0]
    small = page.do(
        "[...document.querySelectorAll('button:not(.step), select, .tool')].filter(e => e.checkVisibility())"
        ".filter(e => e.getBoundingClientRect().height < 44).map(e => e.outerHTML)"
    )
    assert small == [] or size == DESKTOP
    assert not page.complaints()
