"""Changes of a position on the page's board, in a real browser."""

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.battlesnake_search.viewer.test_analysis_page import bodies, facts, recorded, set_number, visit
from tests.support.browser import Page


def edit(page: Page, address: str, after: str = "") -> None:
    """Open the page, and begin to edit."""
    visit(page, address, after)
    page.part("edit").click()


def control(page: Page, *keys: str, shifted: bool = False) -> None:
    """Press keys together with Ctrl."""
    held = [Keys.CONTROL, *([Keys.SHIFT] if shifted else [])]
    actions = ActionChains(page.driver, duration=0)
    for key in held:
        actions.key_down(key)
    actions.send_keys(*keys)
    for key in held:
        actions.key_up(key)
    actions.perform()


def drag(page: Page, *cells: tuple[int, int]) -> None:
    """Drag the mouse over cells of the board."""
    centres = page.do(
        "(cells => { const to = document.querySelector('.board').getScreenCTM();"
        " const at = ([x, y]) => new DOMPoint(x + 0.5, 10.5 - y).matrixTransform(to);"
        " return cells.map(at).map(({ x, y }) => [x, y]); })(arguments[0])",
        cells,
    )
    mouse = {"button": "left", "buttons": 1, "clickCount": 1}
    for number, (x, y) in enumerate(centres):
        kind = "mousePressed" if number == 0 else "mouseMoved"
        page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **mouse})
    released = {"type": "mouseReleased", "x": centres[-1][0], "y": centres[-1][1], **mouse}
    page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", released)


def test_changes_are_taken_back_and_done_again(page: Page, fake: str) -> None:
    """Only in the mode, the board changes. Ctrl+Z and Ctrl+Shift+Z do the same as the buttons."""
    visit(page, fake)
    before = bodies(page)
    drag(page, (2, 4), (3, 4), (4, 4))
    page.press(" ", "f", Keys.BACKSPACE)
    assert bodies(page) == before
    page.part("edit").click()
    food = "document.querySelectorAll('.food circle').length"
    page.press("f", " ", Keys.ARROW_RIGHT, " ")
    assert page.do(food) == 3
    control(page, "z")
    assert page.do(food) == 2
    page.part("undo").click()
    assert page.do(food) == 1
    assert page.do("document.activeElement.dataset.part") == "undo"
    assert page.part("undo").get_attribute("aria-disabled") == "true"
    control(page, "z", shifted=True)
    page.part("redo").click()
    assert page.do(food) == 3
    assert page.part("redo").get_attribute("aria-disabled") == "true"
    assert not page.complaints()


def test_a_game_is_edited_beside_itself(page: Page, fake: str) -> None:
    """A change of a turn makes a line of its own, and the game stays as it was."""
    edit(page, fake, f"?game={recorded()}#turn=57")
    before = bodies(page)
    page.press("e")
    x, y = map(int, before[1].split()[-1].split(","))
    drag(page, (x, y))
    assert len(bodies(page)[1].split()) == len(before[1].split()) - 1
    lines = page.driver.find_elements(By.CSS_SELECTOR, ".tree .line")
    assert [each.text for each in lines] == ["The game", "Turn 57, edited"]
    lines[0].click()
    assert page.turn == 57
    assert bodies(page) == before


def test_the_board_is_edited_by_keys_alone(page: Page, fake: str) -> None:
    """Keys draw a snake, food and hazards, and erase. A new snake is drawn on free cells."""
    edit(page, fake)
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


def test_rules_and_snakes_are_changed(page: Page, fake: str) -> None:
    """Size, ruleset and health are fields, and a snake can be removed. Too small a board is refused."""
    edit(page, fake)
    before = bodies(page)
    set_number(page, "Width", 8)
    assert page.part("size-said").text.startswith("Snake 2 does not fit on 8")
    assert bodies(page) == before and "11\N{MULTIPLICATION SIGN}11" in facts(page)
    set_number(page, "Width", 9)
    ruleset = page.driver.find_element(By.XPATH, "//div[label='Ruleset']/select")
    Select(ruleset).select_by_visible_text("wrapped")
    set_number(page, "Health", 40, place=1)
    assert facts(page) == "wrapped, 9\N{MULTIPLICATION SIGN}11, turn 0, 2 snakes"
    page.driver.find_elements(By.CSS_SELECTOR, "[data-part=remove-snake]")[0].click()
    assert page.do("document.activeElement.dataset.part") == "add-snake"
    assert "1 snake" in facts(page)
    assert page.driver.find_element(By.CSS_SELECTOR, ".snakes [type=number]").get_attribute("value") == "40"
    page.part("remove-snake").click()
    assert "0 snakes" in facts(page)
    page.part("start").click()
    control(page, "z")
    assert "1 snake" in facts(page)
    assert not page.complaints()
