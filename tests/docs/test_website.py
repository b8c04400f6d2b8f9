"""The additions of the site to mkdocs: links, the contract and docstrings."""

import griffe
import pytest

from docs.website.contract import contract
from docs.website.docstrings import Docstrings
from docs.website.links import Site
from tests.docs.pages import ROOT

SITE = Site(
    {
        "README.md": "overview.md",
        "docs/routing.md": "routing.md",
        "docs/start/play.md": "start/play.md",
        "docs/pictures/game.png": "pictures/game.png",
        "infra": "infra/README.md",
        "search.proto": "reference/contract.md#searchproto",
    }
)


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("docs/routing.md", "[a](../README.md#b)", "[a](overview.md#b)"),
        ("docs/start/play.md", "[a](../../README.md)", "[a](../overview.md)"),
        ("docs/start/play.md", "[a](../routing.md)", "[a](../routing.md)"),
        ("README.md", "[a](docs/routing.md)", "[a](routing.md)"),
        ("README.md", "[a](infra)", "[a](infra/README.md)"),
        ("README.md", "[a](search.proto)", "[a](reference/contract.md#searchproto)"),
        ("README.md", "![a](docs/pictures/game.png)", "![a](pictures/game.png)"),
        (
            "README.md",
            "[![a](docs/pictures/game.png)](docs/routing.md)",
            "[![a](pictures/game.png)](routing.md)",
        ),
        ("README.md", "[a](https://b.c) [d](#e)", "[a](https://b.c) [d](#e)"),
        ("README.md", "[gateway](gateway)", "`gateway`"),
        ("docs/routing.md", "[test_a.py](../tests/test_a.py)", "`test_a.py`"),
        ("docs/routing.md", "[`a.py`](../tests/a.py)", "`a.py`"),
        ("docs/routing.md", "the [player](../arena/one.py)", "the player (`arena/one.py`)"),
        ("docs/routing.md", "`[a](b)` ``[c](d)``", "`[a](b)` ``[c](d)``"),
        ("docs/routing.md", "```\n[a](b)\n```\n[c](../README.md)", "```\n[a](b)\n```\n[c](overview.md)"),
    ],
)
def test_a_link_leads_through_the_site(source: str, text: str, expected: str) -> None:
    """A link leads to its target's place in the site; one to a file that this lacks becomes its name."""
    assert SITE.page(text, source) == expected


def test_a_picture_has_to_lead_somewhere() -> None:
    """A picture that leads to a file that the site lacks is an error, which names both."""
    with pytest.raises(ValueError, match=r"README\.md: a picture leads to viewer"):
        SITE.page("[![a](docs/pictures/game.png)](viewer)", "README.md")


def test_the_contract_has_types_and_comments() -> None:
    """Fields have their types, with links to those of the contract, and comments become one line."""
    page = contract(ROOT)
    for line in (
        "| `Search` | [SearchRequest](#searchrequest) → [SearchResponse](#searchresponse) "
        "| Searches until a limit is reached and answers once. |",
        "| `body` | list of [Point](#point) "
        "| Head first. Parts that have yet to unfold lie on the tail's cell. |",
        "| `weights` | map of string to double | Replaces the evaluator's default weights, by name. |",
        "| `time` | `google.protobuf.Duration` | Time for the search, counted from the request's arrival. "
        "Optional: the call's own deadline is enough. |",
        "| `DIRECTION_UP` | 1 |  |",
    ):
        assert line in page
    assert "a stream of [StreamSearchResponse]" in page
    assert "| a stream of [RecordRequest](#recordrequest) → a stream of [RecordResponse]" in page
    assert "To get every move in time:\n\n- Give each call a deadline" in page
    assert page.index("## search.proto") < page.index("## analysis.proto")


def test_examples_in_docstrings_become_code() -> None:
    """An example is a block of code, as far as the next empty line."""
    source = '"""A module.\n\n>>> 1 + 1\n2\n\nMore.\n"""'
    with griffe.temporary_visited_package("example", {"__init__.py": source}) as module:
        Docstrings().on_instance(obj=module)
        assert module.docstring is not None
        assert module.docstring.value == "A module.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nMore."
