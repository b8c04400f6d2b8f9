"""The page of a gauntlet in a real browser: its sections before the replays, on any screen."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from arena.records import Match
from tests.support.browser import DESKTOP, PHONE, Page

SECTIONS = ["Results by opponent", "Conduct", "Causes of death", "Growth"]


@pytest.fixture
def opened(page: Page, files: dict[str, Path]) -> Page:
    """The page of the gauntlet."""
    page.leave()
    page.open(files["gauntlet"])
    return page


def section(page: Page, heading: str) -> list[list[str]]:
    """The rows of a section's table, as they are seen."""
    [found] = page.driver.find_elements(By.XPATH, f"//section[h2[text()='{heading}']]")
    rows = found.find_elements(By.CSS_SELECTOR, "tbody tr")
    return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")] for row in rows]


def test_sections_precede_the_replays(opened: Page, gauntlet: Match) -> None:
    """The page has the results by opponent, conduct, deaths and growth, and no complaints."""
    headings = [found.text for found in opened.driver.find_elements(By.CSS_SELECTOR, "main h2")]
    assert headings[0] == opened.driver.find_element(By.TAG_NAME, "h1").text == "one against 5 opponents"
    assert headings[2:6] == SECTIONS
    assert headings.index("Replays") > headings.index("Growth")
    assert not opened.complaints()


def test_every_opponent_is_listed(opened: Page, gauntlet: Match) -> None:
    """Each opponent has its games and points, every entrant its conduct, deaths and growth."""
    names = [entrant.name for entrant in gauntlet.setup.entrants]
    games = [seats for block in gauntlet.blocks for seats in (game.seats for game in block.games)]
    expected = [[name, str(sum(index in seats for seats in games))] for index, name in enumerate(names)]
    assert [row[:2] for row in section(opened, "Results by opponent")] == expected[1:]
    for heading in SECTIONS[1:]:
        assert [row[0] for row in section(opened, heading)] == names


def test_charts_show_the_first_entrant(opened: Page) -> None:
    """The legend has the first entrant, and not each of its many opponents."""
    keys = [key.text for key in opened.driver.find_elements(By.CSS_SELECTOR, ".chart .keys li")]
    assert keys == ["one"]


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_nothing_is_wider_than_the_screen(page: Page, files: dict[str, Path], size: tuple[int, int]) -> None:
    """Wide tables scroll by themselves."""
    page.open(files["gauntlet"], size=size)
    assert page.do("document.documentElement.scrollWidth") <= size[0]
