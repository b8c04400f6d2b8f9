"""Boards of a size that a stranger names, on the pages in a browser."""

import pytest

from tests.battlesnake_search.viewer.console import Console
from tests.support.browser import Page

SIDE = 2**31 - 1


@pytest.mark.parametrize("path", ["/index.html", "/game.html?game=huge#turn=3"])
def test_a_board_of_any_size_keeps_the_page(page: Page, console: Console, path: str) -> None:
    """The first page and the page of the game show it, without a drawing of each cell."""
    id_ = console.start_live(5)
    console.games["huge"] = console.games.pop(id_) | {"id": "huge", "width": SIDE, "height": SIDE}
    page.visit(f"{console.address}{path}")
    page.wait("document.querySelector('.cells') !== null")
    assert page.do("document.querySelector('.cells').children.length") == 1
    assert (
        f"{SIDE}\N{MULTIPLICATION SIGN}{SIDE}" in page.do("document.body.textContent")
        or path == "/index.html"
    )
    assert not page.complaints()
