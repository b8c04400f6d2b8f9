"""The lines that were tried on the page of a game, in a real browser."""

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.battlesnake_search.viewer.console import recorded_game
from tests.battlesnake_search.viewer.test_analysis_page import bodies, recorded, search, visit
from tests.support.browser import Page


def tree(page: Page) -> list[str]:
    """The lines of the tree; the one that is shown has a star."""
    found: list[str] = page.do(
        "[...document.querySelectorAll('.tree .line')].map(e => e.textContent + (e.ariaCurrent ? ' *' : ''))"
    )
    return found


def shows(turn: int, of: int) -> str:
    """Whether a turn is shown."""
    return f"document.querySelector('[data-part=turn]').textContent.startsWith('Turn {turn} of {of}')"


def test_a_turn_is_played_and_the_game_stays(page: Page, real: str) -> None:
    """Another move begins a line, with the turns before it. The tree leads back to the game."""
    visit(page, real, f"?game={recorded()}#turn=57")
    before = bodies(page)
    ours = page.driver.find_elements(By.CSS_SELECTOR, "[aria-label='Play on'] select")[1]
    Select(ours).select_by_value("left")
    page.part("play-turn").click()
    page.wait(shows(58, 58))
    assert page.do("document.activeElement.dataset.part") == "play-turn"
    assert bodies(page)[1].split()[1:] == before[1].split()[:-1]
    assert tree(page) == ["The game", "Turn 57: ← *"]
    page.part("play-turn").click()
    page.wait(shows(59, 59))
    assert tree(page)[1].startswith("Turn 57: ← ") and len(tree(page)) == 2
    page.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert page.turn == 56
    page.driver.find_elements(By.CSS_SELECTOR, ".tree .line")[0].click()
    page.wait(shows(56, 207))
    assert not page.complaints()


def test_an_expected_line_is_looked_at_and_opened(page: Page, real: str) -> None:
    """The pointer or the focus on a turn shows its position, a click opens it. A line is added once."""
    visit(page, real, f"?game={recorded()}#turn=57")
    shown = bodies(page)
    pv = recorded_game()["turns"][57]["decisions"][1]["pv"]
    third = page.driver.find_elements(By.CSS_SELECTOR, ".step")[2]
    ActionChains(page.driver).move_to_element(third).perform()
    page.wait("document.querySelector('.board.preview') !== null")
    looked = bodies(page)
    assert looked != shown and page.turn == 57
    ActionChains(page.driver).move_to_element(page.part("turn")).perform()
    page.wait("document.querySelector('.board.preview') === null")
    assert bodies(page) == shown
    page.do("document.querySelectorAll('.step')[2].focus()")
    page.wait("document.querySelector('.board.preview') !== null")
    page.press(Keys.ENTER)
    page.wait(shows(60, 57 + len(pv)))
    assert bodies(page) == looked
    arrows = dict(zip(("up", "down", "left", "right"), "↑↓←→", strict=True))
    assert tree(page) == ["The game", f"Turn 57: {' '.join(arrows[joint[1]] for joint in pv)} *"]
    page.driver.find_elements(By.CSS_SELECTOR, ".tree .line")[0].click()
    page.wait(shows(60, 207))
    page.press(*[Keys.ARROW_LEFT] * 3)
    page.driver.find_elements(By.CSS_SELECTOR, ".step")[1].click()
    page.wait(shows(59, 57 + len(pv)))
    assert len(tree(page)) == 2
    page.driver.find_elements(By.CSS_SELECTOR, ".tree .line")[0].click()
    step = page.driver.find_elements(By.CSS_SELECTOR, ".step")[2]
    ActionChains(page.driver).move_to_element(step).perform()
    page.wait("document.querySelector('.board.preview') !== null")
    page.press(Keys.ARROW_LEFT)
    page.wait("document.querySelector('.board.preview') === null")
    # The browser notices after a while that another element is under the pointer.
    page.do("new Promise(resolve => setTimeout(resolve, 300))")
    assert not page.do("document.querySelector('.board.preview') !== null")
    assert page.violations() == []
    assert not page.complaints()


def test_a_searched_line_is_opened(page: Page, real: str) -> None:
    """A click on a turn of the search's expected line opens its position. One turn back leads along it."""
    visit(page, real)
    before = bodies(page)
    search(page, 700)
    page.part("start").click()
    moves = page.do("[...document.querySelectorAll('.column [data-line=\"0\"] td')].map(e => e.title)")
    page.driver.find_elements(By.CSS_SELECTOR, ".column .step")[1].click()
    page.wait(shows(2, len(moves)))
    page.press(Keys.ARROW_LEFT)
    assert page.turn == 1
    assert bodies(page)[0].split()[1:] == before[0].split()[:-1]
    page.press(Keys.ARROW_LEFT)
    assert bodies(page) == before
    assert not page.complaints()


def test_length_health_and_territory_are_drawn(page: Page, fake: str) -> None:
    """The plots have the values of the shown turn. Opponents' moves stand beside the expected ones."""
    visit(page, fake, f"?game={recorded()}#turn=57")
    first = page.do("[...document.querySelectorAll('[data-foreseen=\"0\"] td')].map(e => e.textContent)")
    assert first == ["→ right", "↓ down", "62 % of 205"]
    page.do("document.querySelector('.trends').scrollIntoView()")
    page.wait("document.querySelectorAll('[data-trend=territory] .own').length === 1")
    of = "[...document.querySelectorAll('[data-trend={}] .values span')].map(e => Number(e.textContent))"
    values = {name: page.do(of.format(name)) for name in ("length", "health", "territory")}
    turn = recorded_game()["turns"][57]
    assert values["length"] == [len(each["body"]) for each in turn["snakes"]]
    assert values["health"] == [each["health"] for each in turn["snakes"]]
    assert sum(values["territory"]) > 60
    page.do("location.hash = '#turn=0'")
    page.wait(of.format("health") + ".every(health => health === 100)")
    widths = page.do("[...document.querySelectorAll('[data-trend] .plot')].map(e => e.clientWidth)")
    assert len(widths) == 3 and len(set(widths)) == 1
