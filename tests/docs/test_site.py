"""The site that `make docs` builds."""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import battlesnake_search
from battlesnake_search.contract import analysis_pb2, record_pb2, search_pb2
from docs.website.hooks import OUTSIDE
from searcher import toolkit
from tests.docs import pages as sources
from tests.docs.pages import ROOT

LOADED = {"img": "src", "link": "href", "script": "src", "source": "srcset", "iframe": "src"}
"""The elements with which a page loads something else, and the attributes that name it."""


@dataclass
class Html(HTMLParser):
    """A page: its anchors, what it loads, and its text."""

    anchors: set[str] = field(default_factory=set)
    loaded: list[str] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what an element names."""
        values = {name: value for name, value in attrs if value}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag in LOADED and LOADED[tag] in values:
            self.loaded.append(values[LOADED[tag]])

    def handle_data(self, data: str) -> None:
        """Take the text."""
        self.text += data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built strictly: a link that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Html]:
    """Return the pages of the site by their paths in it."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        page = found[path.relative_to(site).as_posix()] = Html()
        page.feed(path.read_text())
    return found


def test_no_comment_is_visible(pages: dict[str, Html]) -> None:
    """Those that say how tests run commands are for tests alone."""
    assert [name for name, page in pages.items() if "<!--" in page.text] == []


def _is_within(link: str) -> bool:
    parts = urlsplit(link)
    return not parts.scheme and not parts.netloc


def test_nothing_is_loaded_from_another_host(site: Path, pages: dict[str, Html]) -> None:
    """Scripts, styles, fonts and pictures of each page and of each style are the site's own."""
    foreign = [
        f"{name}: {each}" for name, page in pages.items() for each in page.loaded if not _is_within(each)
    ]
    for style in site.rglob("*.css"):
        addresses = re.findall(r"(?:url\(|@import )[\"']?(?!data:)([^\"')]+)", style.read_text())
        foreign += [f"{style.name}: {each}" for each in addresses if not _is_within(each)]
    assert foreign == []


def test_no_page_has_a_drawing_that_needs_a_script() -> None:
    """Pictures are files: what draws Mermaid in a browser would come from another host."""
    everywhere = [*sources.pages(), "CHANGELOG.md", "examples/README.md"]
    assert [page for page in everywhere if any(sources.code_blocks(page, "mermaid"))] == []


def test_every_page_of_the_repository_is_in_the_site(pages: dict[str, Html]) -> None:
    """The site has a page for each of docs/, and for the others that it should have."""
    files = {*ROOT.glob("docs/**/*.md"), *(path for pattern in OUTSIDE for path in ROOT.glob(pattern))}
    assert len(pages.keys() - {"404.html"}) == len(files)


@pytest.mark.parametrize(
    ("page", "module"),
    [("reference/client.html", battlesnake_search), ("reference/toolkit.html", toolkit)],
    ids=["client", "toolkit"],
)
def test_a_reference_has_every_name(pages: dict[str, Html], page: str, module: object) -> None:
    """The pages from docstrings have all that the modules export."""
    names: list[str] = getattr(module, "__all__")  # noqa: B009
    assert [each for each in names if f"{module.__name__}.{each}" not in pages[page].anchors] == []  # type: ignore[attr-defined]


def test_the_contract_has_every_message(pages: dict[str, Html]) -> None:
    """The page of the contract has each service, message, enum, field and value, and their comments."""
    page = pages["reference/contract.html"]
    for file in (search_pb2.DESCRIPTOR, analysis_pb2.DESCRIPTOR, record_pb2.DESCRIPTOR):
        names = {*file.services_by_name, *file.message_types_by_name, *file.enum_types_by_name}
        assert {name for name in names if name.lower() not in page.anchors} == set()
        fields = {each.name for message in file.message_types_by_name.values() for each in message.fields}
        values = {value for enum in file.enum_types_by_name.values() for value in enum.values_by_name}
        assert {name for name in fields | values if name not in page.text} == set()
    assert "Head first. Parts that have yet to unfold lie on the tail's cell." in page.text
