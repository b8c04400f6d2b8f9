"""The console's page of a live game in a real browser."""

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.battlesnake_search.viewer.console import Console
from tests.battlesnake_search.viewer.test_game_page import visit
from tests.support.browser import PATIENCE, Page


def test_a_live_game_is_followed(page: Page, console: Console) -> None:
    """A live game opens at its newest turn and follows it, unless the reader has stepped back."""
    game = console.start_live(20)
    visit(page, console, game)
    assert page.part("turn").text == "Turn 19 of 19 · live"
    WebDriverWait(page.driver, PATIENCE).until(lambda _: console.watched(game))
    console.play_live(game)
    page.wait("document.querySelector('[data-part=turn]').textContent === 'Turn 20 of 20 · live'")
    page.wait("document.querySelectorAll('.candidates tbody tr').length > 0")
    page.press(Keys.ARROW_LEFT)
    console.play_live(game)
    page.wait("document.querySelector('[data-part=turn]').textContent === 'Turn 19 of 21 · live, behind'")
    page.press(Keys.END)
    console.end_live(game)
    page.wait("document.querySelector('[data-part=turn]').textContent === 'Turn 21 of 21 · ours won'")
    assert not page.complaints()


def test_a_live_game_outlives_its_gateway(page: Page, console: Console) -> None:
    """After a new start of the gateway the page waits for the next turn, and follows the game to its end."""
    game = console.start_live(20)
    visit(page, console, game)
    WebDriverWait(page.driver, PATIENCE).until(lambda _: console.watched(game))
    console.restart(game)
    page.wait("document.getElementById('problem').textContent.includes('was started again')")
    console.play_live(game)
    page.wait("document.querySelector('[data-part=turn]').textContent === 'Turn 20 of 20 · live'")
    assert page.do("document.getElementById('problem').textContent") == ""


def test_a_hidden_page_holds_no_connection(page: Page, console: Console) -> None:
    """A hidden tab ends its events, and has missed nothing when it is shown again."""
    game = console.start_live(20)
    visit(page, console, game)
    WebDriverWait(page.driver, PATIENCE).until(lambda _: console.watched(game))
    hide = "Object.defineProperty(document, 'hidden', {{ value: {}, configurable: true }})"
    show = "document.dispatchEvent(new Event('visibilitychange'))"
    page.driver.execute_script(f"{hide.format('true')}; {show}")
    console.play_live(game)
    page.driver.set_script_timeout(10)
    # By the time of this answer an event would have arrived.
    page.driver.execute_async_script("fetch('/api/overview').then(() => setTimeout(arguments[0], 300))")
    assert page.part("turn").text == "Turn 19 of 19 · live"
    page.driver.execute_script(f"{hide.format('false')}; {show}")
    page.wait("document.querySelector('[data-part=turn]').textContent === 'Turn 20 of 20 · live'")
