"""How positions and searches get into the page of an analysis: pasted, by its address, and from a game."""

import json
import re

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from arena.games.entrants import parse_entrants
from arena.records import MoveLimits
from arena.replaying import compare_game, games_in
from tests.battlesnake_search.viewer.console import recorded_game
from tests.battlesnake_search.viewer.test_analysis_page import bodies, facts, paste, set_number, visit
from tests.gateway.scripted_searcher import body
from tests.support.browser import Page
from tests.support.services import ROOT


def test_a_move_body_is_opened_and_its_address_leads_back(page: Page, fake: str) -> None:
    """A pasted body is shown, and the page's address then opens the same position."""
    visit(page, fake)
    page.wait("location.hash.startsWith('#position=')")
    first = page.do("location.hash")
    paste(page, json.dumps(body()))
    page.wait("document.querySelector('#body [role=status]').textContent.startsWith('Opened.')")
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


@pytest.mark.parametrize("text", NO_BODIES)
def test_what_is_no_body_is_told(page: Page, fake: str, text: str) -> None:
    """The page shows the reason why it can't open a text, and keeps the position."""
    visit(page, fake)
    before = bodies(page)
    paste(page, text)
    said = "document.querySelector('#body [role=status]').textContent"
    page.wait(f"{said} === {json.dumps(NO_BODIES[text])}")
    assert bodies(page) == before


def test_the_address_keeps_the_search(page: Page, fake: str) -> None:
    """Strategies, weights, limits and the comparison are back after a reload. Unknown names are shown."""
    visit(page, fake)
    page.part("compare").click()
    second = page.driver.find_elements(By.CSS_SELECTOR, ".column")[1]
    algorithm, evaluator = (Select(each) for each in second.find_elements(By.TAG_NAME, "select"))
    algorithm.select_by_visible_text("steady")
    evaluator.select_by_visible_text("weighed")
    second.find_element(By.CSS_SELECTOR, ".weights summary").click()
    second.find_elements(By.CSS_SELECTOR, "[type=range]")[1].send_keys(Keys.END)
    set_number(page, "Time, ms", 700)
    page.wait("decodeURIComponent(location.hash).includes('\"time_ms\":700')")
    kept = page.driver.current_url
    visit(page, kept.partition("/analysis.html")[0], kept.partition("/analysis.html")[2])
    assert page.driver.find_element(By.CSS_SELECTOR, "#search [type=number]").get_attribute("value") == "700"
    second = page.driver.find_elements(By.CSS_SELECTOR, ".column")[1]
    assert [
        Select(each).first_selected_option.text for each in second.find_elements(By.TAG_NAME, "select")
    ] == [
        "steady",
        "weighed",
    ]
    assert page.do("document.querySelectorAll('.column')[1].querySelectorAll('output')[1].textContent") == "1"
    page.visit(kept.replace("weighed", "unheard"))
    page.wait("document.getElementById('problem').textContent.includes('does not offer steady/unheard')")


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("?game=nonsense&turn=3", "no such game: nonsense"),
        ("#position=garbage", "The position in the address can't be read."),
    ],
)
def test_what_is_wrong_with_the_address_stays_told(page: Page, fake: str, after: str, said: str) -> None:
    """The message stays until the position is changed by hand."""
    visit(page, fake, after)
    page.wait("location.hash.includes('search=')")
    assert page.driver.find_element(By.ID, "problem").text == said
    set_number(page, "Turn", 5)
    page.wait("document.getElementById('problem').textContent === ''")


def test_a_turn_of_a_game_leads_to_its_analysis(page: Page, fake: str) -> None:
    """The page of a game has a link to the analysis of the turn that is shown."""
    game = recorded_game()
    page.visit(f"{fake}/game.html?game={game['id']}#turn=57")
    page.wait("document.querySelector('.cells') !== null")
    page.press(Keys.ARROW_RIGHT)
    page.driver.find_element(By.ID, "analyse").click()
    page.wait("location.pathname === '/analysis.html' && document.querySelector('.cells') !== null")
    turn = game["turns"][58]
    placed = [" ".join(f"{x},{y}" for x, y in each["body"]) for each in turn["snakes"] if each]
    assert bodies(page) == placed
    assert "turn 58" in facts(page)
    ours = page.do("document.querySelector('.snakes [name=you]:checked').ariaLabel")
    assert re.search(r"To move: ", ours)


def test_a_link_of_a_comparison_opens_the_position_with_both_strategies(page: Page, fake: str) -> None:
    """The link of `python -m arena replay` has the position, the snake and the two strategies."""
    setup = parse_entrants(("greedy", "paranoid/area"), MoveLimits(nodes=10))
    file = ROOT / "tests/fixtures/games/duel.jsonl"
    found = compare_game((file,), (setup[0], setup[1]), frozenset({"two"}), 0)[3]
    [game] = games_in((file,))
    visit(page, fake, found.page.removeprefix("analysis.html"))
    snakes = game.turns[3].position.snakes
    assert bodies(page) == [" ".join(f"{x},{y}" for x, y in snake.body) for snake in snakes]
    assert "turn 3" in facts(page)
    # The server of this test has other strategies.
    page.wait("document.getElementById('problem').textContent.includes('does not offer paranoid/area')")
    assert page.do("document.querySelector('[data-part=compare]').checked")
