"""How positions and searches get into the page of an analysis: pasted, by its address, and from a game."""

import json

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from arena.games.entrants import parse_entrants
from arena.records import MoveLimits
from arena.replaying import compare_game, games_in
from tests.battlesnake_search.viewer.test_analysis_page import (
    OPENED,
    bodies,
    choose_strategy,
    facts,
    paste,
    set_number,
    visit,
)
from tests.gateway.scripted_searcher import body
from tests.support.browser import Page
from tests.support.services import ROOT


def test_a_move_body_is_opened_and_its_address_leads_back(page: Page, fake: str) -> None:
    """A pasted body is shown, and the page's address then opens the same position."""
    visit(page, fake)
    page.wait("location.hash.startsWith('#position=')")
    assert "search=" not in page.do("location.hash")
    first = page.do("location.hash")
    paste(page, json.dumps(body()))
    page.wait(f"{OPENED}.startsWith('Opened.')")
    expected = [" ".join(f"{c['x']},{c['y']}" for c in each["body"]) for each in body()["board"]["snakes"]]
    assert bodies(page) == expected
    page.wait(f"location.hash !== {json.dumps(first)}")
    page.visit(page.driver.current_url)
    # Until the address has been read, the page shows another position.
    page.wait(f"document.querySelectorAll('.snake').length === {len(expected)}")
    assert bodies(page) == expected
    assert f"turn {body()['turn']}" in facts(page)


NO_BODIES = {
    "{}": "board: missing required field `board`",
    "null": "expected an object",
    '{"board": {}}': "board.width: expected a number of cells, got None",
    '{"board": {"width": 11, "height": 11, "snakes": []}}': "board.snakes: has no living snake",
    "nonsense": "not JSON: Expecting value: line 1 column 1 (char 0)",
}


def test_a_pasted_body_is_mended_or_refused_with_the_reason(page: Page, fake: str) -> None:
    """A refused text leaves the position. The page tells what it mended, and shows no dead snakes."""
    visit(page, fake)
    before = bodies(page)
    for text, reason in NO_BODIES.items():
        paste(page, text)
        page.wait(f"{OPENED} === {json.dumps(reason)}")
        assert bodies(page) == before
    odd = body()
    odd["game"]["map"] = None
    odd["board"]["snakes"].append({**odd["you"], "id": "dead", "health": 0})
    paste(page, json.dumps(odd))
    page.wait(f"{OPENED} === 'Opened. Mended: null.'")
    assert len(bodies(page)) == len(body()["board"]["snakes"])


def test_the_address_keeps_the_search(page: Page, fake: str) -> None:
    """Strategies, weights, limits and the comparison are back after a reload. Unknown names are shown."""
    visit(page, fake)
    page.part("compare").click()
    choose_strategy(page, 1)
    second = page.driver.find_elements(By.CSS_SELECTOR, ".column")[1]
    second.find_elements(By.CSS_SELECTOR, "[type=range]")[1].send_keys(Keys.END)
    set_number(page, "Time, ms", 700)
    page.wait("decodeURIComponent(location.hash).includes('\"time_ms\":700')")
    kept = page.driver.current_url
    page.visit(kept)
    page.wait("document.querySelectorAll('.column')[1].querySelectorAll('output')[1]?.textContent === '1'")
    assert page.driver.find_element(By.CSS_SELECTOR, ".search [type=number]").get_attribute("value") == "700"
    chosen = page.do(
        "[...document.querySelectorAll('.column')[1].querySelectorAll('select')].map(e => e.value)"
    )
    assert chosen == ["steady", "weighed"]
    page.visit(kept.replace("weighed", "unheard"))
    page.wait("document.getElementById('problem').textContent.includes('does not offer steady/unheard')")


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("?game=nonsense&turn=3", "no such game: nonsense"),
        ("#position=garbage", "The position in the address can't be read."),
    ],
)
def test_a_fault_of_the_address_stays_told(page: Page, fake: str, after: str, said: str) -> None:
    """The message stays until the position is changed by hand."""
    visit(page, fake, after)
    page.wait(
        "location.hash.startsWith('#position=') && document.getElementById('problem').textContent !== ''"
    )
    assert page.driver.find_element(By.ID, "problem").text == said
    page.part("edit").click()
    page.press("f", " ")
    page.wait("document.getElementById('problem').textContent === ''")


def test_a_link_of_a_comparison_opens_the_position_with_both_strategies(page: Page, fake: str) -> None:
    """The link of `python -m arena replay` has the position, the snake and the two strategies."""
    setup = parse_entrants(("greedy", "paranoid/area"), MoveLimits(nodes=10))
    file = ROOT / "tests/fixtures/games/duel.jsonl"
    found = compare_game((file,), (setup[0], setup[1]), frozenset({"two"}), 0)[3]
    [game] = games_in((file,))
    visit(page, fake, found.page.removeprefix("game.html"))
    snakes = game.turns[3].position.snakes
    assert bodies(page) == [" ".join(f"{x},{y}" for x, y in snake.body) for snake in snakes]
    assert "turn 3" in facts(page)
    # The server of this test has other strategies.
    page.wait("document.getElementById('problem').textContent.includes('does not offer paranoid/area')")
    assert page.do("document.querySelector('[data-part=compare]').checked")
