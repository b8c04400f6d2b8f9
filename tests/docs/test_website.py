"""The additions of the site to mkdocs: links, the contract and docstrings."""

import pytest

from docs.website.links import Site

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
