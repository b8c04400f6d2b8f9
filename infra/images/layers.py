"""The layers of an image, as `docker history` and `podman history` describe them."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

MEGABYTE = 1e6

_VISIBLE = 0.05 * MEGABYTE

COLUMNS = ("MB", "layer")

_NOISE = re.compile(r"/bin/sh -c |#\(nop\) *| # buildkit$")
"""The text that engines write around an instruction."""


@dataclass(frozen=True)
class Layer:
    """A layer: its size in bytes, and the instruction that made it."""

    size: int
    instruction: str


def read_history(text: str) -> list[Layer]:
    """Read a history in JSON: Podman writes a list, and Docker an object in each line."""
    found = json.loads(text) if text.lstrip().startswith("[") else map(json.loads, text.splitlines())
    return [_layer(entry) for entry in found]


def _layer(entry: dict[str, Any]) -> Layer:
    size = next(entry[key] for key in ("size", "Size") if key in entry)
    return Layer(int(size), _NOISE.sub("", " ".join(entry["CreatedBy"].split())))


def on_top(image: Sequence[Layer], base: Sequence[Layer]) -> list[Layer]:
    """Return the layers of an image above its base. Raises ValueError if the image has another base."""
    above = list(image[: len(image) - len(base)])
    if image[len(above) :] != base:
        raise ValueError("the image has another base")
    return above


def size_of(layers: Sequence[Layer]) -> int:
    """Return the bytes of all layers."""
    return sum(layer.size for layer in layers)


def rows(above: Sequence[Layer], base: Sequence[Layer]) -> Iterator[tuple[str, str]]:
    """Yield the rows of a table, the cells in the order of COLUMNS: the base, the layers on top, the sums.

    Layers that add next to nothing are left out.
    """
    yield _megabytes(size_of(base)), "the base"
    for layer in reversed(above):
        if layer.size >= _VISIBLE:
            yield _megabytes(layer.size), layer.instruction
    yield _megabytes(size_of(above)), "on top of the base"
    yield _megabytes(size_of(above) + size_of(base)), "the image"


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:.1f}"
