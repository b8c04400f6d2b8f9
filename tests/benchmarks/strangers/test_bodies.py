"""The bodies of strangers."""

from itertools import islice
from random import Random

import pytest

from battlesnake_search.reader import read
from benchmarks.strangers.at_snake import faulty
from benchmarks.strangers.bodies import body, encoded, filled, mutated, renewed
from benchmarks.strangers.http import post
from benchmarks.strangers.plan import Plan

VALID = b'{"game": {"id": "a", "timeout": 500}, "turn": 1, "board": {"width": 11, "height": 11}}'


def test_messages_are_nearly_valid() -> None:
    """Most of a mutated message is left, and all kinds of changes occur."""
    rng = Random(1)
    messages = [mutated(rng, VALID) for _ in range(500)]
    assert len(set(messages)) > 400
    assert {len(message) > len(VALID) for message in messages} == {True, False}
    assert sum(message.startswith(VALID[:4]) for message in messages) > 100


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


def test_each_request_has_a_new_name() -> None:
    """Two processes of strangers have different names, too, and the length of a request stays."""
    request = post("/start", encoded(body()))
    courses = [renewed(Plan("", 1.0, 1, 1, course=course), request) for course in (1, 2)]
    found = [each for course in courses for each in islice(course, 3)]
    assert len(set(found)) == 6
    assert {len(each) for each in found} == {len(request)}
