"""The examples of docs/python.md and of the package's docstring, with a real searcher."""

import doctest

import pytest

import battlesnake_search
from tests.support.services import ROOT

PAGES = {
    "docs/python.md": (ROOT / "docs" / "python.md").read_text(),
    "the package": battlesnake_search.__doc__ or "",
}


@pytest.mark.alone
@pytest.mark.parametrize("page", PAGES)
def test_the_examples_work(target: str, page: str) -> None:
    """They print the output on the page."""
    text = PAGES[page].replace("localhost:50051", target)
    examples = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, page, page, 0)
    assert examples.examples
    written: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=written.append)
    assert written == []
