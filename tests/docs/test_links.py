"""The links between pages, and from pages to code."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def _pages() -> list[str]:
    found = [*ROOT.glob("*.md"), *ROOT.glob("[a-z]*/**/*.md")]
    ours = (page.relative_to(ROOT) for page in found)
    return sorted(str(page) for page in ours if not {"node_modules", ".venv"} & set(page.parts))


@pytest.mark.parametrize("page", _pages())
def test_every_link_leads_somewhere(page: str) -> None:
    """Each relative link of a page names a file or folder, and a heading that the page has."""
    broken = [link for link in _links(ROOT / page) if not _leads_somewhere(ROOT / page, link)]
    assert not broken


def _links(page: Path) -> Iterator[str]:
    for link in _LINK.findall(_CODE.sub("", page.read_text())):
        if not re.match(r"[a-z]+:", link):
            yield link


def _leads_somewhere(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = page.parent / name if name else page
    return target.exists() and (not anchor or target.suffix != ".md" or anchor in _anchors(target))


def _anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in _HEADING.findall(text)}
