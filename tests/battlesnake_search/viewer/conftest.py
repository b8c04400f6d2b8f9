"""The console's pages in a browser."""

from collections.abc import Iterator

import pytest

from tests.battlesnake_search.viewer import analysis_server
from tests.battlesnake_search.viewer.console import Console
from tests.support import browser
from tests.support.browser import Page
from tests.support.dependencies import report_missing


@pytest.fixture
def console() -> Iterator[Console]:
    """A server of the pages with a recorded game."""
    with Console().serving() as served:
        yield served


@pytest.fixture(scope="session")
def page() -> Iterator[Page]:
    """A browser, in which each test opens a page."""
    if package := browser.missing():
        report_missing("The browser that looks at the console", package)
    with browser.running() as opened:
        yield opened


@pytest.fixture(autouse=True)
def quiet(request: pytest.FixtureRequest) -> None:
    """Clear the browser's console, and prefer light, before a test that opens a page."""
    if "page" in request.fixturenames:
        opened: Page = request.getfixturevalue("page")
        opened.leave()
        opened.prefer("light")


@pytest.fixture(scope="module")
def fake() -> Iterator[str]:
    """The address of the pages in front of a searcher whose searches are scripted."""
    with analysis_server.running("fake") as address:
        yield address


@pytest.fixture(scope="module")
def real(compiled: None) -> Iterator[str]:
    """The address of the pages in front of a real searcher."""
    with analysis_server.running("real") as address:
        yield address
