"""The examples of docs/python.md and of the package's docstring, with a real searcher."""

import doctest

import pytest

import battlesnake_search
from battlesnake_search import SyncSearchClient
from tests.support.searchers import PATIENCE
from tests.support.services import ROOT

DUEL = ROOT / "tests" / "fixtures" / "requests" / "standard-move-late-84.json"

PAGES = {
    "docs/python.md": (ROOT / "docs" / "python.md").read_text(),
    "the package": battlesnake_search.__doc__ or "",
}


@pytest.mark.alone
@pytest.mark.parametrize("page", PAGES)
def test_the_examples_work(target: str, page: str) -> None:
    """They print the output on the page, if the searcher has ended its start."""
    with SyncSearchClient(target) as client:
        client.search(DUEL.read_bytes(), "paranoid/hungry", depth=1, time=PATIENCE)
    text = PAGES[page].replace("localhost:50051", target)
    examples = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, page, page, 0)
    assert examples.examples
    written: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=written.append)
    assert written == []
