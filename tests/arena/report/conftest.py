"""Pages of matches, and a browser that opens them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.records import Match
from arena.report.page import page_of
from tests.arena.report.random_games import DUEL, ROYALE, SOLO_MAZE, WRAPPED, random_match, setup_of
from tests.support import browser
from tests.support.browser import Page
from tests.support.dependencies import report_missing

HOSTILE = "<script>alert('one')</script>"
"""A name that is markup, and would end a script."""


@pytest.fixture(scope="session")
def duel() -> Match:
    """Duels, one side with a hostile name."""
    return random_match(setup_of(DUEL, (HOSTILE, "$two$ & 'Söhne' 🐍")), 6)


@pytest.fixture(scope="session")
def royale() -> Match:
    """Games of four with hazards."""
    return random_match(setup_of(ROYALE, ("one", "two", "three", "four"), 4), 3)


@pytest.fixture(scope="session")
def wrapped() -> Match:
    """Duels on a board without edges, higher than wide."""
    return random_match(setup_of(WRAPPED), 2)


@pytest.fixture(scope="session")
def maze() -> Match:
    """Games of one snake on a map that puts it elsewhere."""
    return random_match(setup_of(SOLO_MAZE, snakes=1), 2)


@pytest.fixture(scope="session")
def gauntlet() -> Match:
    """A gauntlet of four snakes against five opponents."""
    return random_match(setup_of(DUEL, ("one", "two", "three", "four", "five", "six"), 4, company=5), 5)


@pytest.fixture(scope="session")
def files(
    tmp_path_factory: pytest.TempPathFactory, duel: Match, royale: Match, maze: Match, gauntlet: Match
) -> dict[str, Path]:
    """The matches' pages, by name."""
    folder = tmp_path_factory.mktemp("pages")
    paths = {}
    matches = {"duel": duel, "royale": royale, "maze": maze, "gauntlet": gauntlet}
    for name, match in matches.items():
        paths[name] = folder / f"{name}.html"
        paths[name].write_text(page_of(match), encoding="utf-8")
    return paths


@pytest.fixture(scope="session")
def page() -> Iterator[Page]:
    """A browser, in which each test opens a page."""
    if package := browser.missing():
        report_missing("The browser that looks at reports", package)
    with browser.running() as opened:
        yield opened
