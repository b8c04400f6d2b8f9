"""The pages of the repository for people, as the tests of this folder read them."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

FENCES = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
"""Blocks of code: the language, and the code."""

COMMENTS = re.compile(r"^<!--.*?-->$", re.DOTALL | re.MULTILINE)
"""Comments, hidden from readers."""

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


_REDIRECTION = re.compile(r"&?[<>]+&?")
_SEPARATOR = re.compile(r"[();<>|&]+")


def lines(code: str) -> Iterator[str]:
    """Yield the whole lines of shell code: those that a backslash or a quotation continues are one."""
    whole = ""
    for line in code.splitlines(keepends=True):
        whole += line
        if not line.endswith("\\\n") and _is_complete(whole):
            yield whole
            whole = ""
    if whole:
        yield whole


def commands(code: str) -> Iterator[list[str]]:
    """Yield the words of each command, without redirections and variables before it."""
    for line in lines(code):
        # What isn't complete is no code but a piece of it, as it stands in sentences.
        if not _is_complete(line):
            continue
        lexer = shlex.shlex(line.replace("\\\n", " "), posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        command: list[str] = []
        words = iter([*lexer, ";"])
        for word in words:
            if _REDIRECTION.fullmatch(word):
                next(words, None)
            elif _SEPARATOR.fullmatch(word):
                yield command
                command = []
            elif command or not re.match(r"\w+=", word):
                command.append(word)


def _is_complete(text: str) -> bool:
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return False
    return True
