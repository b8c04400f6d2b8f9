"""The spelling of everything, and the style of the pages."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from inspect import cleandoc

import pytest
from proselint.config import DEFAULT, Config
from proselint.tools import LintFile

from tests.docs import english
from tests.docs.pages import COMMENTS, FENCES, INLINE, ROOT, every_page, pages
from tests.test_architecture import FOLDERS, parsed, sources

# The project writes plain quotes, ... and 11x11.
CHECKS: Config = {**DEFAULT, "checks": {**DEFAULT["checks"], "typography": False}}
"""The checks of proselint."""

DISPLAYED = re.compile(
    r"^(>>>|\.\.\.|[^\n]*  ).*?$|^[a-z]\w*(, \w+)*: .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE
)
"""The parts of a docstring that are no sentences: examples, formulas, tables, and lists of fields."""

TOLERATED = re.compile("a new sentence|the noun again|a noun as the subject: None")
"""The faults that docstrings may have."""

NEVER = {
    "verdict": "search result, check result, SPRT decision, experiment decision or trial outcome",
    "utilize": "use",
    "leverage": "use",
    "simply": "nothing",
    "easily": "nothing",
    "please note": "nothing",
    "allows you to": "what it does",
}
"""Words that the pages use only as a quotation, and what they say instead."""


def needless(text: str) -> dict[str, str]:
    """Return the words of a text that are never used, and their replacements."""
    return {word: NEVER[word] for word in NEVER if re.search(rf'(?<!")\b{word}\b', text.lower())}


def prose(page: str) -> str:
    """Return the sentences of a page: without code, tables, headings, pictures and the targets of links."""
    text = COMMENTS.sub("", FENCES.sub("", (ROOT / page).read_text()))
    text = re.sub(r"^(\||#|!\[).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\]\([^)]*\)", "]", INLINE.sub("§", text))


def docstrings(folder: str) -> Iterator[tuple[str, str]]:
    """Yield each docstring below a folder, and the name of each test as a sentence, with the file."""
    for path in sources(folder):
        file = str(path.relative_to(ROOT))
        for node in ast.walk(parsed(path)):
            match node:
                case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) if name.startswith("test_"):
                    yield file, f"{name.removeprefix('test_').replace('_', ' ').capitalize()}."
                case ast.Expr(ast.Constant(str(text))):
                    yield file, INLINE.sub("§", DISPLAYED.sub("", cleandoc(text)))


def test_everything_is_spelled_right() -> None:
    """Pages, docstrings, comments and names have no common misspelling; pyproject.toml lists exceptions."""
    command = [sys.executable, "-m", "codespell_lib"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (found.stdout, found.returncode) == ("", 0)


@pytest.mark.parametrize("page", pages())
def test_the_style_of_a_page(page: str) -> None:
    """No word stands there twice, and no cliché, no old spelling, no empty phrase."""
    found = LintFile(page, prose(page)).lint(CHECKS)
    assert [each.check_result.message for each in found] == []


@pytest.mark.parametrize("page", every_page())
def test_the_sentences_of_a_page(page: str) -> None:
    """Sentences are short, state one fact, and have nouns as subjects."""
    assert list(english.faults(prose(page))) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_sentences_of_docstrings(folder: str) -> None:
    """Docstrings and names of tests have the subjects and lengths of pages. `None` is a value there."""
    found = ((file, fault) for file, text in docstrings(folder) for fault in english.faults(text))
    assert [each for each in found if not TOLERATED.match(each[1])] == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_words_of_docstrings(folder: str) -> None:
    """No docstring and no name of a test uses a word that says nothing, or that has a better one."""
    assert [(file, words) for file, text in docstrings(folder) if (words := needless(text))] == []


@pytest.mark.parametrize("page", pages())
def test_the_words_of_a_page(page: str) -> None:
    """No page uses a word that says nothing, or that has a better one."""
    assert needless(prose(page)) == {}
