"""The console's first page in a real browser."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.battlesnake_search.viewer.console import Console
from tests.battlesnake_search.viewer.test_game_page import PHONE, SIZES
from tests.support.browser import DESKTOP, Page

LIST = "document.querySelectorAll('#last a').length"


def visit(page: Page, console: Console, size: tuple[int, int] = DESKTOP) -> None:
    """Open the page, and wait for its lists."""
    page.visit(f"{console.address}/index.html", size)
    page.wait("document.querySelectorAll('#last li, #searchers li').length >= 2")


def texts(page: Page, selector: str) -> list[str]:
    """The texts of elements, read at once because the page may redraw its lists at any time."""
    found: list[str] = page.do("[...document.querySelectorAll(arguments[0])].map(e => e.innerText)", selector)
    return found


def test_it_shows_what_is_served(page: Page, console: Console) -> None:
    """Health in a line, snakes with their addresses and strategies, searchers, and arms of experiments."""
    visit(page, console)
    assert texts(page, "#health li") == ["2 searchers serving", "1 game now", "812 games kept"]
    assert texts(page, "#snakes code") == ["http://192.0.2.7:8000/", "http://192.0.2.7:8000/cautious"]
    assert "plays crowd/hungry" in texts(page, "#snakes li")[0]
    assert texts(page, "#searchers strong") == ["unix:/run/searcher.sock", "192.0.2.8:50051"]
    assert texts(page, "#experiments .arms li")[0] == "control crowd/hungry · 50 % of games"


def test_a_searcher_that_does_not_serve_is_seen_at_a_glance(page: Page, console: Console) -> None:
    """The line of health counts the searchers that serve, and lost records, as bad."""
    searchers = [console.overview["searchers"][0], {"address": "gone:1", "serving": False}]
    console.overview = console.overview | {"searchers": searchers, "counts": {"lost_records": 3}}
    visit(page, console)
    assert texts(page, "#health .bad") == ["1 of 2 searchers serving", "3 records lost"]


def test_games_now_are_small_boards_that_move(page: Page, console: Console) -> None:
    """A game that is being played is drawn, turn by turn, until it has ended and joins the last games."""
    game = console.start_live(20)
    visit(page, console)
    page.wait("document.querySelector('#now .count')?.textContent === 'Turn 19'")
    WebDriverWait(page.driver, 10).until(lambda _: console.watched(""))
    console.play_live(game)
    page.wait("document.querySelector('#now .count').textContent === 'Turn 20'")
    console.end_live(game)
    page.wait(f"{LIST} === 2")
    assert texts(page, "#now li") == ["No game is being played."]
    assert not page.complaints()


def test_results_name_the_winner_unless_others_played_us(page: Page, console: Console) -> None:
    """A game of our snakes alone, or of other snakes alone, has a winner. Without an end it was aborted."""
    snakes = console.whole["snakes"]
    winner = console.whole["result"]["winner"]
    for id_, ours in (("all", True), ("none", False)):
        theirs = [snake | {"ours": ours} for snake in snakes]
        console.games[id_] = console.whole | {"id": id_, "snakes": theirs}
    console.games["broken"] = console.whole | {"id": "broken", "result": None}
    visit(page, console)
    page.wait(f"{LIST} === 4")
    name = f"{snakes[winner]['name']} won"
    assert texts(page, "#last .result") == ["broken off", name, name, "won"]


def test_a_last_game_leads_to_its_page(page: Page, console: Console) -> None:
    """The list has result, snakes, rules and length, and a click opens the game."""
    visit(page, console)
    page.wait(f"{LIST} === 1")
    assert texts(page, "#last .result") == ["won"]
    page.do("document.querySelector('#last a').click()")
    page.wait("document.querySelector('.decision') !== null")
    assert console.whole["id"] in page.driver.current_url


def test_a_game_of_a_server_opens(page: Page, console: Console) -> None:
    """An address leads to the game's page. Without a game, the page shows the reason."""
    visit(page, console)
    assert texts(page, "#import-note") == ["From arena.battlesnake.com."]
    field = page.driver.find_element(By.ID, "import-address")
    field.send_keys("https://arena.battlesnake.com/games/x", Keys.ENTER)
    page.wait("document.getElementById('import-said').textContent.endsWith('has no game x')")
    field.clear()
    field.send_keys(f"https://arena.battlesnake.com/games/{console.whole['id']}", Keys.ENTER)
    page.wait("document.querySelector('.decision') !== null")
    assert console.whole["id"] in page.driver.current_url


def test_without_servers_no_game_is_offered(page: Page, console: Console) -> None:
    """The form is missing, and a game that was still running at its server is marked."""
    console.overview = console.overview | {"replay_servers": []}
    console.games["far"] = console.whole | {"id": "far", "result": None, "source": "running"}
    visit(page, console)
    page.wait(f"{LIST} === 2")
    assert texts(page, "#last .result") == ["goes on", "won"]
    assert not page.driver.find_element(By.ID, "import-panel").is_displayed()


def test_older_games_are_added_on_demand(page: Page, console: Console) -> None:
    """The page lists twenty games, and adds twenty older ones with each press of the button."""
    for number in range(30):
        console.games[f"g{number}"] = console.whole | {"id": f"g{number}", "turns": []}
    visit(page, console)
    page.wait(f"{LIST} === 20")
    page.do("document.getElementById('more').click()")
    page.wait(f"{LIST} === 31 && document.getElementById('more').hidden")


def test_a_new_user_has_no_games(page: Page, console: Console) -> None:
    """Without games the page shows the next steps."""
    console.games.clear()
    visit(page, console)
    page.wait("document.querySelector('#last li').textContent.startsWith('No game has ended yet. Register')")


@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(page: Page, console: Console, size: tuple[int, int], scheme: str) -> None:
    """Axe finds nothing, nothing scrolls sideways, and the browser's console stays empty."""
    console.start_live(30)
    page.prefer(scheme)
    visit(page, console, size)
    page.wait("document.querySelector('#now .cells') !== null")
    assert page.violations() == []
    assert page.do("document.documentElement.scrollWidth") <= size[0]
    assert not page.complaints()


def test_the_keyboard_reaches_a_game(page: Page, console: Console) -> None:
    """A live game and a last game are links that Tab reaches."""
    console.start_live(30)
    visit(page, console, PHONE)
    page.wait("document.querySelector('#now a') !== null")
    reached = set()
    for _ in range(12):
        page.press("\ue004")
        reached.add(page.do("document.activeElement.closest('ul')?.id ?? ''"))
    assert {"now", "last", "snakes"} <= reached
