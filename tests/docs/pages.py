"""The pages of the repository for people, as the tests of this folder read them."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

FENCES = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
"""Blocks of code: the language, and the code."""

COMMENTS = re.compile(r"^<!--.*?-->$", re.DOTALL | re.MULTILINE)
"""What readers don't see."""

INLINE = re.compile(r"``(.+?)``|`((?:[^`\n]|\n(?!\n))+)`")
"""Code within a paragraph, in double or single backticks."""


def pages() -> list[str]:
    """Return the paths of all pages about the present state of the services.

    The changelog is about the past, and the commands of the examples run in folders of their own.
    """
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("infra/**/*.md")]
    return sorted(str(page.relative_to(ROOT)) for page in found if page.name != "CHANGELOG.md")


def every_page() -> list[str]:
    """Return the paths of all these pages, and of those of the examples."""
    examples = (str(page.relative_to(ROOT)) for page in ROOT.glob("examples/*/README.md"))
    return sorted({*pages(), "examples/README.md", *examples})


def code_blocks(page: str, language: str) -> Iterator[str]:
    """Yield the blocks of code in a language."""
    for found, code in FENCES.findall((ROOT / page).read_text()):
        if found == language:
            yield code


def inline_code(page: str) -> Iterator[str]:
    """Yield the pieces of code within lines."""
    text = COMMENTS.sub("", FENCES.sub("", (ROOT / page).read_text()))
    for double, single in INLINE.findall(text):
        yield double or single
