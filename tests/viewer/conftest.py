"""The console's pages in a browser."""

from collections.abc import Iterator

import pytest

from tests.support import browser
from tests.support.browser import Page
from tests.support.dependencies import report_missing
from tests.viewer.console import Console


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
