"""The console's page of experiments in a real browser, over a real database."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from console.store.database import OutcomesDatabase, read_database
from tests.battlesnake_search.viewer.console import Console
from tests.battlesnake_search.viewer.made_up import fill, games, serve_experiments
from tests.battlesnake_search.viewer.test_game_page import PHONE
from tests.support.browser import DESKTOP, Page

DRAWN = "document.querySelectorAll('.chart-picture').length >= 4"


@pytest.fixture
def database(tmp_path: Path) -> OutcomesDatabase:
    """Return a database with a decided experiment, and one whose arms are equal."""
    database = read_database(str(tmp_path / "outcomes.sqlite"))
    decided = games("hunger", {"champion": 0.4, "hungrier": 0.8}, 200)
    fill(database, *decided, *games("area", {"champion": 0.5, "wide <b>": 0.5}, 80))
    return database


@pytest.fixture
def served(database: OutcomesDatabase) -> Iterator[Console]:
    """A server of the pages and the experiments."""
    with Console(lambda app: serve_experiments(app, database)).serving() as console:
        yield console


def visit(page: Page, console: Console, experiment: str = "hunger", size: tuple[int, int] = DESKTOP) -> None:
    """Open the page, and wait for its charts."""
    page.visit(f"{console.address}/experiments.html?experiment={experiment}", size)
    page.wait(DRAWN)


def texts(page: Page, selector: str) -> list[str]:
    """The texts of elements."""
    return [each.text for each in page.driver.find_elements(By.CSS_SELECTOR, selector)]


def test_the_decision_is_said_in_words_and_charts(page: Page, served: Console) -> None:
    """A person reads which arm is better and by how much. Every chart is a text and a table, too.

    With all tables open, axe finds nothing in the dark.
    """
    page.prefer("dark")
    visit(page, served)
    [decided], [needed] = texts(page, ".decided"), texts(page, ".needed")
    assert decided.startswith("hungrier is better than champion, the control: of 100 games, it wins about")
    assert needed.startswith("Nothing more is needed: this was decided after")
    assert page.do("document.querySelector('.moment') !== null")
    told = texts(page, ".comparison figcaption")[0]
    assert "A decision needs 30 games of each arm. With so many, the interval first excluded 0 after" in told
    for chart, unit in (("depth", "turns"), ("latency", "ms")):
        assert texts(page, f"#{chart} .row-name") == ["champion", "hungrier"]
        assert all(unit in text for text in texts(page, f"#{chart} .row-words"))
    assert texts(page, "#shadows .row-name") == ["next"]
    charts = page.driver.find_elements(By.CSS_SELECTOR, ".chart")
    assert len(charts) == 5
    for shown in charts:
        picture = shown.find_element(By.CSS_SELECTOR, ".chart-picture")
        assert len(picture.get_attribute("aria-label") or "") > 40
        shown.find_element(By.CSS_SELECTOR, "summary").click()
        assert shown.find_elements(By.CSS_SELECTOR, "tbody tr")
    shares = page.do("[...document.querySelectorAll('#shares tbody tr')].map(e => e.textContent)")
    assert shares[0].startswith("champion") and shares[1].startswith("hungrier") and "%" in shares[0]
    assert page.violations() == [] and not page.complaints()


def test_an_open_question_says_what_it_still_takes(page: Page, served: Console) -> None:
    """It is chosen by keyboard. Without a decision, the page shows the missing games and no moment.

    On a phone, with all tables open, axe finds nothing, and nothing scrolls sideways.
    """
    visit(page, served, size=PHONE)
    for _ in range(9):
        page.press(Keys.TAB)
        if page.do("document.activeElement.id") == "names":
            break
    page.press(Keys.ARROW_UP)
    page.wait("location.search === '?experiment=area'")
    page.wait(DRAWN)
    assert texts(page, "h1") == ["area"]
    assert texts(page, ".decided")[0].startswith("No difference is shown yet: of 100 games, wide <b> may win")
    assert texts(page, ".needed")[0].startswith(("If it goes on like this", "When a decision comes"))
    assert page.do("document.querySelector('.moment')") is None
    page.do("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    assert page.violations() == [] and not page.complaints()
    assert page.do("document.documentElement.scrollWidth") <= PHONE[0]


def test_an_arm_of_reflexes_is_not_judged(page: Page, tmp_path: Path) -> None:
    """The page says in red how many moves were searched, and lists the games that don't count."""
    database = read_database(str(tmp_path / "faulty.sqlite"))
    made = games("hunger", {"champion": 0.8, "faulty": 0.0}, 100)
    reflexes = [
        replace(
            one, mean_depth=None, moves_searched=0, moves_best_so_far=0, moves_failed=one.moves, searched={}
        )
        for one in made
        if one.arm == "faulty"
    ]
    made = games("hunger", {"champion": 0.8, "faulty": 0.0}, 100)
    fill(database, *(one for one in made if one.arm == "champion"), *reflexes)
    with Console(lambda app: serve_experiments(app, database)).serving() as console:
        page.visit(f"{console.address}/experiments.html?experiment=hunger")
        page.wait("document.querySelector('.decided') !== null")
        reason = "moves of arm faulty were not searched, in its last 30 games: for"
        assert reason in texts(page, "#warning")[0] and texts(page, "main")[0].count(reason) == 1
        assert "too few moves of faulty were searched" in texts(page, ".decided")[0]
        assert texts(page, ".needed")[0].startswith("They are compared again once searches find 80 %")
        moves = sum(one.moves for one in reflexes)
        row = texts(page, "#moves tbody tr")[1]
        assert row.startswith(f"faulty {moves:,} 0.0 % 0.0 % 100.0 % 0.0 % {moves:,} (100.0 %)")
        assert "Failed calls: moves for which" in texts(page, "#moves")[0]
        assert "Not searched: more than half of the moves" in texts(page, "#arms")[0]
        assert str(len(reflexes)) in texts(page, "#arms")[0]
        assert not page.complaints()


def test_all_columns_of_the_arms_fit_a_small_window(page: Page, tmp_path: Path) -> None:
    """At 1100 pixels nothing is cut off. A reason to leave out games has a column only if it occurs."""
    arms = {"crowd-with-hunger-40": 0.5, "crowd-with-hunger-60": 0.5}
    database = read_database(str(tmp_path / "columns.sqlite"))
    made = list(games("hunger", arms, 60))
    left_out: list[dict[str, Any]] = [
        {"result": None},
        {"drawn": False},
        {"seen_from": 5},
        {"ended": False},
        {"moves_searched": 0, "moves_best_so_far": 0},
    ]
    changed = [replace(one, **fields) for one, fields in zip(made, left_out, strict=False)]
    fill(database, *changed, *made[len(changed) :], *games("complete", arms, 60))
    headings = ["arm", "plays", "games", "won / drawn / lost", "score"]
    reasons = ["unknown", "not drawn", "not seen", "unfinished", "not searched"]
    with Console(lambda app: serve_experiments(app, database)).serving() as console:
        for experiment, columns in (("hunger", [*headings, *reasons]), ("complete", headings)):
            visit(page, console, experiment, (1100, 900))
            assert [" ".join(text.split()) for text in texts(page, "#arms th[scope=col]")] == columns
            for table in ("arms", "moves"):
                assert page.do(f"{table}.scrollWidth") <= page.do(f"{table}.clientWidth")


def test_the_page_opens_on_arms_that_compete(page: Page, tmp_path: Path) -> None:
    """Without a name in the address, the newest experiment with several arms is shown."""
    database = read_database(str(tmp_path / "two.sqlite"))
    competing = games("hunger", {"champion": 0.4, "hungrier": 0.8}, 80)
    older = games("area", {"champion": 0.5, "wider": 0.5}, 60)
    earlier = (replace(one, ended_at=one.ended_at - timedelta(days=9)) for one in older)
    fill(database, *games("alone", {"only": 0.5}, 40), *competing, *earlier)
    with Console(lambda app: serve_experiments(app, database)).serving() as console:
        page.visit(f"{console.address}/experiments.html")
        page.wait(DRAWN)
        assert texts(page, "#title") == ["hunger"]
        visit(page, console, "alone")
        assert texts(page, "#title") == ["alone"]


def test_without_games_the_page_says_what_to_do(page: Page, tmp_path: Path) -> None:
    """An empty database is no error. A missing database is shown with the reason."""
    database = read_database(str(tmp_path / "outcomes.sqlite"))
    with Console(lambda app: serve_experiments(app, database)).serving() as console:
        page.visit(f"{console.address}/experiments.html")
        page.wait("document.getElementById('problem').textContent === \"the database can't be read\"")
        fill(database)
        page.visit(f"{console.address}/experiments.html")
        page.wait("!document.getElementById('none').hidden")
