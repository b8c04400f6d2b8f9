"""The page as text: self-contained, with no data read as markup."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from arena.records import Looks, Match
from arena.report.page import page_of
from arena.statistics.sprt import Sprt
from tests.arena.report.conftest import HOSTILE
from tests.arena.report.random_games import DUEL, random_match, setup_of, with_test


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the content of scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self._content: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element."""
        self.found.append((tag, dict(attrs)))
        self._content.clear()

    def handle_data(self, data: str) -> None:
        """Collect an element's content."""
        self._content.append(data)

    def handle_endtag(self, tag: str) -> None:
        """Record a script's content."""
        if tag == "script":
            self.scripts.append((self.found[-1][1], "".join(self._content)))


@pytest.fixture(scope="module")
def page(duel: Match) -> str:
    """The page of duels with a hostile name."""
    return page_of(with_test(duel, Sprt(0, 20)))


def test_the_page_is_self_contained(page: str) -> None:
    """No element refers to another file, and the content security policy allows none."""
    elements = Elements(page).found
    addresses = [
        value or ""
        for _, attributes in elements
        for name, value in attributes.items()
        if name in ("src", "href", "xlink:href", "action", "data", "poster")
    ]
    assert {address for address in addresses if not address.startswith(("#", "data:"))} == set()
    assert "@import" not in page and not re.search(r"url\((?!#)", page)
    assert any("default-src 'none'" in (attributes.get("content") or "") for _, attributes in elements)


def test_the_policy_allows_the_script(page: str) -> None:
    """The digest in the policy is that of the page's only script that runs."""
    running = [content for attributes, content in Elements(page).scripts if "type" not in attributes]
    digest = base64.b64encode(hashlib.sha256("".join(running).encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page.replace("&#39;", "'")


def test_names_are_never_markup(page: str) -> None:
    """A name that is a script is escaped everywhere in the page, in HTML and in data."""
    assert HOSTILE not in page
    assert "alert('one')" not in page
    data = next(
        content for attributes, content in Elements(page).scripts if attributes.get("id") == "report-data"
    )
    assert json.loads(data)["filters"][1] == ["won-0", f"{HOSTILE} won"]


def test_a_match_without_blocks_has_a_page(duel: Match) -> None:
    """A match that has just started can be reported."""
    page = page_of(with_test(Match(duel.setup, ()), Sprt(0, 20)))
    assert "No game counts, so nothing is known." in page
    assert "No game has been played yet." in page


def test_a_snake_at_a_url_is_named_as_on_the_board() -> None:
    """The page has the name that the snake gave itself, numbered if it is taken, in place of its address."""
    address = "http://localhost:8000/secret"
    match = random_match(setup_of(DUEL, (address, "Hydra")), 1)
    names = {0: Looks(name="Hydra", color="#8a3fb8"), 1: Looks()}
    block = match.blocks[0]
    games = [replace(game, looks=tuple(names[seat] for seat in game.seats)) for game in block.games]
    page = page_of(Match(match.setup, (replace(block, games=tuple(games)),)))
    assert "<h1>Hydra 2 against Hydra</h1>" in page
