"""The console's page of the arena in a real browser, over real files of matches."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import web
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from arena.report.page import page_of
from gateway.console import arena
from tests.arena.match_files import append, duels, line_of, write
from tests.arena.report.random_games import frames_of
from tests.battlesnake_search.viewer.console import Console
from tests.battlesnake_search.viewer.test_game_page import SIZES
from tests.support.browser import DESKTOP, Page

MATCH = duels(8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a running match and a report."""
    folder = tmp_path_factory.mktemp("matches")
    write(folder / "running.jsonl", MATCH.setup, MATCH.blocks[:6])
    (folder / "report.html").write_text(page_of(MATCH))
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Console]:
    """A server of the pages and of the folder."""

    def extend(app: web.Application) -> None:
        app[arena.FOLDER] = folder
        app.add_routes(arena.HANDLERS)
        app.cleanup_ctx.append(arena.running)

    with Console(extend).serving() as console:
        yield console


def visit(page: Page, console: Console, after: str = "", size: tuple[int, int] = DESKTOP) -> None:
    """Open the match's page, and wait for its charts and a board."""
    page.visit(f"{console.address}/arena.html?match=running.jsonl{after}", size)
    page.wait("document.querySelectorAll('.chart-picture').length === 2 && document.querySelector('.cells')")


def texts(page: Page, selector: str) -> list[str]:
    """The texts of elements."""
    return [each.text for each in page.driver.find_elements(By.CSS_SELECTOR, selector)]


def test_matches_and_reports_are_listed(page: Page, served: Console) -> None:
    """A running match is marked, and a click leads to it."""
    page.visit(f"{served.address}/arena.html")
    page.wait("!document.getElementById('folder').hidden")
    assert texts(page, "#matches strong") == ["one against two"]
    assert texts(page, "#matches .running") == ["running"]
    assert texts(page, "#reports strong") == ["report.html"]
    page.driver.find_element(By.CSS_SELECTOR, "#matches a").click()
    page.wait("document.querySelectorAll('.chart-picture').length === 2")
    assert not page.complaints()


def test_a_running_match_grows(page: Page, served: Console, folder: Path) -> None:
    """New blocks appear by themselves, and the game that is shown stays where it is."""
    file = write(folder / "running.jsonl", MATCH.setup, MATCH.blocks[:6])
    visit(page, served, "#game=1.2&turn=3")
    assert "in 6 of at most 100 blocks" in texts(page, "#facts")[0]
    counts = "[...document.querySelectorAll('#pairs .row-words')].map(e => Number(e.textContent))"
    assert sum(page.do(counts)) == 6
    page.driver.find_element(By.CSS_SELECTOR, "#pairs summary").click()
    append(file, *map(line_of, MATCH.blocks[6:]))
    page.wait("document.getElementById('facts').textContent.includes('in 8 of at most 100 blocks')")
    assert sum(page.do(counts)) == 8
    assert page.do("document.querySelector('#pairs details').open")
    assert page.turn == 3 and page.part("game").get_attribute("value") == "1.2"
    assert len(page.part("game").find_elements(By.TAG_NAME, "option")) == 16
    assert not page.complaints()


def test_the_test_is_shown_between_its_bounds(page: Page, served: Console) -> None:
    """The chart names both bounds, and words describe the state of the test."""
    visit(page, served)
    assert texts(page, "#test .level-name") == ["accepted", "rejected"]
    assert "undecided" in texts(page, "#test figcaption")[0]
    assert texts(page, "#pairs .tick") == ["LL", "LD", "WL/DD", "WD", "WW"]
    assert "not yet decided, since" in texts(page, "#conclusion")[0]


def test_a_game_is_replayed_as_in_the_report(page: Page, served: Console) -> None:
    """The viewer shows every turn of a game by the rules. Keys go to the next game."""
    visit(page, served, "#game=1.2&turn=0")
    frames = frames_of(MATCH.setup.rules, MATCH.blocks[1].games[1])
    for turn, position in enumerate(frames[:5]):
        bodies = {snake.id: " ".join(f"{x},{y}" for x, y in snake.body) for snake in position.snakes}
        assert page.shown().turn == turn and page.shown().bodies == bodies
        page.press(Keys.ARROW_RIGHT)
    page.press(Keys.ARROW_DOWN)
    page.wait("document.querySelector('[data-part=game]').value === '2.1'")
    assert not page.complaints()


def test_a_report_opens_in_its_sandbox(page: Page, served: Console) -> None:
    """The report works, with keys and its address, although it reaches nothing of the console."""
    page.visit(f"{served.address}/arena/reports/report.html#game=1.2&turn=2")
    page.wait("document.querySelector('.cells') !== null")
    assert page.turn == 2 and page.do("window.origin") == "null"
    page.press(Keys.ARROW_RIGHT)
    page.wait("location.hash.includes('turn=3')")
    assert not page.complaints()


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("?match=nothing.jsonl", "there is no file nothing.jsonl"),
        ("?match=report.html", "report.html holds no match"),
    ],
)
def test_an_unknown_match_is_reported(page: Page, served: Console, address: str, problem: str) -> None:
    """The page shows the error."""
    page.visit(f"{served.address}/arena.html{address}")
    page.wait(f"document.getElementById('problem').textContent === '{problem}'")


def serve_no_folder(app: web.Application) -> None:
    """Add the paths of an arena without a folder."""
    app.add_routes(arena.HANDLERS)


def test_without_a_folder_the_page_names_the_option(page: Page) -> None:
    """The page names the option that shows matches."""
    with Console(serve_no_folder).serving() as console:
        page.visit(f"{console.address}/arena.html")
        page.wait("document.getElementById('problem').textContent.includes('--arena FOLDER')")


@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["", "?match=running.jsonl"])
def test_the_page_is_accessible(
    page: Page, served: Console, size: tuple[int, int], scheme: str, address: str
) -> None:
    """Axe finds nothing with all tables open, nothing scrolls sideways, and the console stays empty."""
    page.prefer(scheme)
    page.visit(f"{served.address}/arena.html{address}", size)
    page.wait(f"document.querySelector('{'.cells' if address else '#matches a'}') !== null")
    page.do("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    assert page.violations() == []
    assert page.do("document.documentElement.scrollWidth") <= size[0]
    assert not page.complaints()
