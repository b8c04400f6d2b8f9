"""The bodies of strangers at a snake."""

import pytest

from battlesnake_search.reader import read
from benchmarks.strangers.at_snake import body, encoded, faulty, filled


def test_a_body_needs_no_mending() -> None:
    """A stranger's body is a game, so that the gateway does all its work for it."""
    large = filled(body("a"), 851_000, {"x": 1, "y": 1})
    assert 850_000 < len(large) <= 851_000
    assert all(not read(each).mended for each in (encoded(body("a")), large))


@pytest.mark.parametrize("number", range(len(faulty(2_000))))
def test_a_faulty_body_needs_mending(number: int) -> None:
    """Each of them is mended in a way of its own, and the gateway takes bodies of its size."""
    small, large = faulty(2_000)[number], faulty(900_000)[number]
    assert read(small).mended
    assert 800_000 < len(large) < 2**20
