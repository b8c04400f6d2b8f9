"""The site that `make docs` builds."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from battlesnake_search.contract import analysis_pb2, record_pb2, search_pb2
from tests.docs.pages import ROOT, code_blocks, every_page

LOADED = {"img": "src", "link": "href", "script": "src", "source": "srcset", "iframe": "src"}
"""The elements with which a page loads something else, and the attributes that name it."""


class Html(HTMLParser):
    """A page: what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what an element names."""
        self.loaded += [value for name, value in attrs if value and name == LOADED.get(tag)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built strictly: a link that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert built.returncode == 0, built.stderr
    return folder


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    """Scripts, styles, fonts and pictures of each page and of each style are the site's own."""
    loaded: list[str] = []
    for path in site.rglob("*.html"):
        page = Html()
        page.feed(path.read_text())
        loaded += page.loaded
    for style in site.rglob("*.css"):
        loaded += re.findall(r"(?:url\(|@import )[\"']?(?!data:)([^\"')]+)", style.read_text())
    assert loaded
    assert [each for each in loaded if urlsplit(each).scheme or urlsplit(each).netloc] == []


def test_the_contract_has_every_message(site: Path) -> None:
    """The page of the contract has each service, message and enum."""
    page = (site / "reference" / "contract.html").read_text()
    for file in (search_pb2.DESCRIPTOR, analysis_pb2.DESCRIPTOR, record_pb2.DESCRIPTOR):
        names = {*file.services_by_name, *file.message_types_by_name, *file.enum_types_by_name}
        assert {name for name in names if f'id="{name.lower()}"' not in page} == set()


def test_no_page_has_a_drawing_that_needs_a_script() -> None:
    """Pictures are files: what draws Mermaid in a browser would come from another host."""
    assert [page for page in every_page() if any(code_blocks(page, "mermaid"))] == []
