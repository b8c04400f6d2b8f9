"""The links between pages, from pages to code, and to the platform."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LARGEST = 200_000
"""Bytes of a picture."""

_GONE = "play." + "battlesnake.com"
"""The platform's former host."""

_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
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


@pytest.mark.parametrize("page", _pages())
def test_every_picture_is_described(page: str) -> None:
    """Readers who don't see a picture get a sentence about it, and each file of docs/ is small."""
    for description, file in _PICTURE.findall((ROOT / page).read_text()):
        assert len(description) > 30, file
        assert (ROOT / page).parent.joinpath(file).stat().st_size < LARGEST


def test_every_drawing_is_on_a_page() -> None:
    """Those that a script makes, too."""
    shown = {Path(file).name for page in _pages() for _, file in _PICTURE.findall((ROOT / page).read_text())}
    assert {path.name for path in ROOT.glob("docs/images/*.svg")} - shown == set()


def test_nothing_names_the_former_platform() -> None:
    """No file of the project has the host that is gone."""
    command = ("git", "grep", "--untracked", "--fixed-strings", "--files-with-matches", _GONE)
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (found.stdout, found.stderr, found.returncode) == ("", "", 1)


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
