"""Mutations of JSON."""

import json
from pathlib import Path

from tests.fuzz.mutators import mutate_json

BODY = (Path(__file__).parents[1] / "fixtures" / "requests" / "standard-move-mid-42.json").read_bytes()


def test_half_of_the_mutations_are_json_still() -> None:
    """They differ from the body and from one another; what is no JSON is mutated as bytes."""
    changed = [mutate_json(BODY, 10_000, seed, lambda data, _: b"bytes") for seed in range(200)]
    trees = [one for one in changed if one != b"bytes"]
    assert 60 < len(trees) < 140 and len(set(trees)) > 50
    assert all(json.loads(tree) is not Ellipsis for tree in trees)
    assert mutate_json(b"{", 10, 1, lambda data, _: data + b"!") == b"{!"


def test_a_mutation_is_not_too_long() -> None:
    """If the tree would be longer than it may be, bytes are mutated."""
    assert mutate_json(BODY, 10, 3, lambda data, most: data[:most]) == BODY[:10]
