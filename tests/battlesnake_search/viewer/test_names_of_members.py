"""Texts of strangers that are named as members of every JavaScript object are, on the pages in a browser."""

from copy import deepcopy

import pytest
from selenium.webdriver.common.by import By

from tests.battlesnake_search.viewer.console import Console
from tests.support.browser import Page

MEMBERS = ("constructor", "toString", "__proto__", "hasOwnProperty")
TURNS = 70


def _game(console: Console, member: str) -> None:
    """Serve a game in which all texts that strangers choose, or that are stored, are this one."""
    game = deepcopy(console.whole) | {"id": "constructor", "map": member, "ruleset": member}
    for number, snake in enumerate(game["snakes"]):
        snake |= {"name": member, "color": member, "head": member, "tail": member}
        # The ids of a game differ.
        snake["id"] = MEMBERS[(MEMBERS.index(member) + number) % len(MEMBERS)]
    for turn in game["turns"]:
        turn["deaths"] = [death | {"cause": member} for death in turn["deaths"]]
        for decision in filter(None, turn["decisions"]):
            decision |= {"stop": member, "source": member}
    first = game["turns"][TURNS]["decisions"]
    first[1] |= {"move": member, "pv": [[member] * len(game["snakes"])]}
    console.games[game["id"]] = game


@pytest.mark.parametrize("member", ["constructor", "__proto__"])
def test_a_game_named_like_members_is_shown(page: Page, console: Console, member: str) -> None:
    """The list has it. Unknown heads and tails look like the default, and unknown causes are shown."""
    _game(console, member)
    page.visit(f"{console.address}/index.html")
    page.wait("document.querySelectorAll('#last a').length === 2")
    assert "native code" not in page.do("document.documentElement.outerHTML")
    page.visit(f"{console.address}/game.html?game=constructor#turn=0")
    page.wait("document.querySelectorAll('.skull').length === 4")
    assert "native code" not in page.do("document.documentElement.outerHTML")
    for turn in (TURNS, TURNS + 1, console.whole["turns"][-1]["turn"]):
        page.do(f"location.hash = '#turn={turn}'")
        page.wait(f"document.querySelector('[data-part=turn]').textContent.startsWith('Turn {turn} ')")
        assert "native code" not in page.do("document.body.innerText")
        assert "[object" not in page.do("document.body.innerText")
    assert member in page.driver.find_element(By.CSS_SELECTOR, ".cards").text
    assert not page.complaints()
