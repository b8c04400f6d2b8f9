"""Mutations that keep the structure of JSON, of which mutations of bytes leave little."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

Bytes: TypeAlias = Callable[[bytes, int], bytes]

_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1,
    2**31 - 1,
    2**31,
    -(2**31) - 1,
    1e308,
    0.5,
    "",
    "\x00",
    "é",
    "99",
    [],
    {},
)


def mutate_json(data: bytes, most: int, seed: int, mutate_bytes: Bytes) -> bytes:
    """Return a mutation of at most `most` bytes: half of the time one of the tree, if the data is JSON."""
    rng = Random(seed)
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return mutate_bytes(data, most)
    if rng.random() < 0.5:
        return mutate_bytes(data, most)
    changed = json.dumps(_changed(tree, rng)).encode()
    return changed if len(changed) <= most else mutate_bytes(data, most)


def _changed(tree: Any, rng: Random) -> Any:
    """Return the tree with a change at one place."""
    if not tree or not isinstance(tree, dict | list) or rng.random() < 0.1:
        return rng.choice(_VALUES)
    keys = list(tree) if isinstance(tree, dict) else range(len(tree))
    key = rng.choice(keys)
    chance = rng.random()
    if chance < 0.15:
        del tree[key]
    elif chance < 0.3:
        other = rng.choice(keys)
        tree[key] = tree[other]
    elif chance < 0.4 and isinstance(tree, list):
        tree.append(tree[key])
    else:
        tree[key] = _changed(tree[key], rng)
    return tree
