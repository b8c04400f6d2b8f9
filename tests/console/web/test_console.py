"""The console in a real browser, beside a real gateway, a real searcher and games of the official engine.

It requires a password, and the browser sends it with every script, request and stream of events.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from tests.battlesnake_search.viewer.test_game_page import PHONE
from tests.support.admin import TOKEN
from tests.support.browser import DESKTOP, Page
from tests.support.games import GameSetup
from tests.support.services import free_port, running_gateway, wait_for_console

pytestmark = pytest.mark.usefixtures("compiled")

SETUP = GameSetup("solo", map="royale", width=7, height=7, timeout=300, hazard_damage=25, shrink_every=3)
"""A snake alone lives for some twenty turns even on a busy machine, and the hazards end the game."""

BOARD = "document.querySelector('#now .count')"
TURN = "document.querySelector('[data-part=turn]')"
FACTS = "document.getElementById('facts')"


@contextmanager
def _game(engine: Path, url: str) -> Iterator[subprocess.Popen[bytes]]:
    """Play a game of one snake."""
    command = [str(engine), "play", "--name=one", f"--url={url}", *SETUP.options()]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as game:
        try:
            yield game
        finally:
            game.kill()


def test_a_game_is_found_and_explained_while_it_is_played(
    official_engine: Path, page: Page, tmp_path: Path
) -> None:
    """Home shows a game that starts, a click opens it, it grows to its end, and decisions are explained."""
    address = f"127.0.0.1:{free_port()}"
    name, _, secret = TOKEN.partition(".")
    settings = {"ADMIN": address, "OUTCOMES_URL": str(tmp_path / "games.sqlite")}
    page.leave()
    with running_gateway(tmp_path / "log", **settings) as url:
        wait_for_console(address)
        # The user types this in, and the browser stores it.
        page.visit(f"http://{name}:{secret}@{address}/", DESKTOP)
        page.visit(f"http://{address}/", DESKTOP)
        page.wait("document.querySelector('#now')?.textContent === 'No game is being played.'")
        assert page.driver.find_element(By.CSS_SELECTOR, "#snakes code").text == f"{url}/"
        with _game(official_engine, url) as game:
            page.wait(f"{BOARD}?.textContent.startsWith('Turn ')")
            page.do("document.querySelector('#now a').click()")
            page.wait("document.querySelector('.cells') !== null")
            first = page.turn
            page.wait(f"Number({TURN}.textContent.split(' ')[1]) > {first + 2}")
            game.wait(120)
        page.wait(f"{FACTS}.textContent.includes(' ended ')")
        _check_decision(page, page.do("location.href.split('#')[0]"))
        page.visit(f"http://{address}/", PHONE)
        page.wait("document.querySelectorAll('#last a').length === 1")
        assert page.violations() == []
        assert page.complaints() == []


def _check_decision(page: Page, url: str) -> None:
    """Check that the page of the game that is over explains turn 5."""
    page.visit(f"{url}#turn=5", DESKTOP)
    page.wait("document.querySelector('.cells') !== null")
    assert page.turn == 5 and len(page.shown().bodies) == 1
    shown = page.driver.find_element(By.ID, "game").text
    assert "/solo" in shown and "nodes" in shown.lower()
    assert page.violations() == []
