"""The console's page of an analysis in a real browser."""

import json

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.battlesnake_search.viewer.test_game_page import SIZES
from tests.gateway.scripted_searcher import body
from tests.support.browser import DESKTOP, Page

ENDED = """[...document.querySelectorAll('.column:not([hidden]) [data-part=state]')]
    .every(each => each.textContent === 'The search has ended.')"""


def visit(page: Page, address: str, after: str = "", size: tuple[int, int] = DESKTOP) -> None:
    """Open the page, and wait for the board."""
    page.visit(f"{address}/analysis.html{after}", size)
    page.wait("document.querySelector('.cells') !== null")


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


def test_a_position_is_searched_played_on_and_taken_back(page: Page, real: str) -> None:
    """A real search shows depths, candidates and the line. A turn leads to the next position, and back."""
    visit(page, real)
    before = bodies(page)
    page.driver.find_element(By.CSS_SELECTOR, ".column:not([hidden]) .terms summary").click()
    page.wait("document.querySelectorAll('[data-weight]').length > 3")
    search(page, 1500)
    assert page.driver.find_elements(By.CSS_SELECTOR, ".depths tbody tr")
    assert page.driver.find_elements(By.CSS_SELECTOR, ".decision [data-move]")
    assert page.driver.find_elements(By.CSS_SELECTOR, ".board .pv .path")
    move = page.do("document.querySelector('.decision tr.chosen').dataset.move")
    assert page.do("document.querySelector('[data-snake=snake-1]:is(select)').value") == move
    page.part("play").click()
    page.wait("document.getElementById('facts').textContent.includes('turn 1,')")
    assert [each.split()[1:] for each in bodies(page)] == [each.split()[:-1] for each in before]
    page.part("back").click()
    page.wait("document.getElementById('facts').textContent.includes('turn 0,')")
    assert bodies(page) == before
    assert not page.complaints()


def test_two_strategies_search_side_by_side(page: Page, fake: str) -> None:
    """Each column has its own strategy, depths and result. Both lines can be put on the board."""
    visit(page, fake)
    page.part("compare").click()
    search(page)
    columns = page.driver.find_elements(By.CSS_SELECTOR, ".column")
    assert all(len(each.find_elements(By.CSS_SELECTOR, ".depths tbody tr")) > 2 for each in columns)
    assert all(each.find_elements(By.CSS_SELECTOR, ".decision [data-move=left]") for each in columns)
    lines = page.driver.find_elements(By.CSS_SELECTOR, "[data-part=line]")
    assert [each.get_attribute("aria-pressed") for each in lines] == ["true", "false"]
    lines[1].click()
    pressed = page.driver.find_elements(By.CSS_SELECTOR, "[data-part=line]")
    assert [each.get_attribute("aria-pressed") for each in pressed] == ["false", "true"]


def test_weights_have_sliders_within_their_bounds(page: Page, fake: str) -> None:
    """A slider shows its value, is sent with the search, and is reset."""
    visit(page, fake)
    column = page.driver.find_element(By.CSS_SELECTOR, ".column")
    algorithm, evaluator = (Select(each) for each in column.find_elements(By.TAG_NAME, "select"))
    algorithm.select_by_visible_text("steady")
    evaluator.select_by_visible_text("weighed")
    column.find_element(By.CSS_SELECTOR, ".weights summary").click()
    slider = column.find_elements(By.CSS_SELECTOR, "[type=range]")[1]
    assert (slider.get_attribute("min"), slider.get_attribute("max")) == ("-1", "1")
    slider.send_keys(Keys.END)
    assert [each.text for each in column.find_elements(By.TAG_NAME, "output")] == ["1", "1"]
    search(page)
    page.part("reset").click()
    assert [each.text for each in column.find_elements(By.TAG_NAME, "output")] == ["1", "0.5"]
    assert not column.find_element(By.CSS_SELECTOR, ".depths").is_displayed()


def test_an_analysis_can_be_stopped(page: Page, fake: str) -> None:
    """The button stops a running search, and its results stay."""
    visit(page, fake)
    set_number(page, "Time, ms", 50_000)
    page.part("start").click()
    page.wait("document.querySelectorAll('.depths tbody tr').length > 2")
    assert page.part("start").text == "Stop"
    page.part("start").click()
    page.wait("document.querySelector('[data-part=state]').textContent === 'Stopped.'")
    assert page.part("start").text == "Search"
    assert len(page.driver.find_elements(By.CSS_SELECTOR, ".depths tbody tr")) > 2


def test_errors_are_told_in_the_searchers_words(page: Page, fake: str) -> None:
    """A weight that the searcher refuses is shown with the field."""
    visit(page, fake)
    column = page.driver.find_element(By.CSS_SELECTOR, ".column")
    Select(column.find_elements(By.TAG_NAME, "select")[1]).select_by_visible_text("weighed")
    page.do(
        "((slider) => { slider.max = slider.value = 999; ['input', 'change'].forEach((name) => "
        "slider.dispatchEvent(new Event(name, { bubbles: true }))); })"
        "(document.querySelector('.weights [type=range]'))"
    )
    page.part("start").click()
    page.wait("document.querySelector('.column .problem').textContent.includes('must be')")


def test_a_pasted_body_of_any_engine_is_mended(page: Page, fake: str) -> None:
    """The page shows the kinds of its faults, and dead snakes are not on the board."""
    odd = body()
    odd["game"]["map"] = None
    odd["board"]["snakes"].append({**odd["you"], "id": "dead", "health": 0})
    visit(page, fake)
    paste(page, json.dumps(odd))
    page.wait("document.querySelector('#body [role=status]').textContent === 'Opened. Mended: null.'")
    assert len(bodies(page)) == len(body()["board"]["snakes"])


def test_the_board_is_edited_by_keys_alone(page: Page, fake: str) -> None:
    """Keys draw a snake, food and hazards, and erase. A new snake is drawn on free cells."""
    visit(page, fake)
    page.do("document.querySelector('[data-part=add-snake]').focus()")
    page.press(Keys.ENTER)
    page.do("document.querySelector('[data-part=stage]').focus()")
    page.press(Keys.SPACE, Keys.ARROW_RIGHT, Keys.SPACE, Keys.ARROW_RIGHT, Keys.SPACE)
    assert bodies(page)[2] == "0,0 1,0 2,0"
    page.press(Keys.ARROW_RIGHT, "f", Keys.SPACE, Keys.ARROW_RIGHT, "h", Keys.SPACE, Keys.SPACE)
    assert "3 snakes" in facts(page)
    assert page.do("document.querySelector('.food [data-cell=\"3,0\"]') !== null")
    assert page.do("document.querySelector('.hazards [data-cell=\"4,0\"]').dataset.layers") == "2"
    assert "hazard, 2 layers" in page.driver.find_element(By.ID, "editor-cell").text
    page.press(Keys.BACKSPACE, Keys.ARROW_LEFT, Keys.BACKSPACE, Keys.ARROW_LEFT, Keys.BACKSPACE)
    assert bodies(page)[2] == "0,0 1,0"
    assert page.do("document.querySelector('.food [data-cell=\"3,0\"]') === null")
    assert not page.complaints()


def test_the_board_is_edited_by_dragging(page: Page, fake: str) -> None:
    """A drag over free cells redraws the chosen snake, head first."""
    visit(page, fake)
    box = page.do("document.querySelector('.board').getBoundingClientRect().toJSON()")
    cell = box["width"] / 11.5
    at = [(box["x"] + (x + 0.75) * cell, box["y"] + 10.75 * cell) for x in (3, 4, 5, 6)]
    mouse = {"button": "left", "buttons": 1, "clickCount": 1}
    for number, (x, y) in enumerate(at):
        kind = "mousePressed" if number == 0 else "mouseMoved"
        page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **mouse})
    x, y = at[-1]
    page.driver.execute_cdp_cmd(
        "Input.dispatchMouseEvent", {"type": "mouseReleased", "x": x, "y": y, **mouse}
    )
    assert bodies(page)[0] == "3,0 4,0 5,0 6,0"


def test_rules_and_snakes_are_changed(page: Page, fake: str) -> None:
    """Size, ruleset and health are fields, and a snake can be removed."""
    visit(page, fake)
    set_number(page, "Width", 9)
    Select(page.driver.find_element(By.XPATH, "//div[label='Ruleset']/select")).select_by_visible_text(
        "wrapped"
    )
    set_number(page, "Health", 40, place=1)
    assert facts(page) == "wrapped, 9\N{MULTIPLICATION SIGN}11, turn 0, 2 snakes"
    page.driver.find_elements(By.CSS_SELECTOR, "[data-part=remove-snake]")[0].click()
    assert "1 snake" in facts(page)
    assert page.driver.find_element(By.CSS_SELECTOR, ".snakes [type=number]").get_attribute("value") == "40"


def test_a_size_that_is_too_small_changes_nothing(page: Page, fake: str) -> None:
    """The snake that would not fit is named."""
    visit(page, fake)
    before = bodies(page)
    set_number(page, "Width", 8)
    assert page.part("size-said").text.startswith("Snake 2 does not fit on 8")
    assert bodies(page) == before and "11\N{MULTIPLICATION SIGN}11" in facts(page)


@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(page: Page, real: str, size: tuple[int, int], scheme: str) -> None:
    """With all shown, axe finds nothing, nothing scrolls sideways, and the console stays empty."""
    page.prefer(scheme)
    visit(page, real, size=size)
    page.part("compare").click()
    page.do("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    search(page)
    page.wait("document.querySelectorAll('.column .terms [data-weight]').length > 6")
    assert page.violations() == []
    assert page.do("document.documentElement.scrollWidth") <= size[0]
    assert not page.complaints()
