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


@pytest.mark.rest("commands of the docs")
@pytest.mark.parametrize("page", PAGES)
def test_the_examples_work(target: str, page: str) -> None:
    """They print the output on the page, if the searcher has ended its start."""
    with SyncSearchClient(target) as client:
        client.search(DUEL.read_bytes(), "paranoid/hungry", depth=1, time=PATIENCE)
    # The page's 0.3 s may be too short for a final result on a machine with other work.
    text = PAGES[page].replace("localhost:50051", target).replace("time=0.3", "time=3")
    examples = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, page, page, 0)
    assert examples.examples
    written: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=written.append)
    assert written == []
