"""The colours of snakes, as looks.js chooses them. A colour is written as #1767c2, in small letters."""

import re
from collections.abc import Iterable
from math import dist

PALETTE = ("#1767c2", "#c2500a", "#17804d", "#8a3fb8", "#0b7a8c", "#c02450", "#766800", "#5a6270")
"""The colours for snakes without a colour of their own."""

_ALIKE = 60.0
"""The distance of red, green and blue below which two colours look alike."""

_COLOUR = re.compile(r"#[0-9a-f]{6}")


def colour_in(text: str) -> str | None:
    """Return the colour that a stranger has written; None if it is not one."""
    found = text.lower()
    return found if _COLOUR.fullmatch(found) else None


def rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of a colour, from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def distance(one: str, other: str) -> float:
    """Return the distance of two colours, from 0 to 442."""
    return dist(rgb(one), rgb(other))


def is_alike(one: str, other: str) -> bool:
    """Return whether two colours look alike. Those of the palette differ."""
    is_chosen = one in PALETTE and other in PALETTE
    return one == other or (not is_chosen and distance(one, other) < _ALIKE)


def free_colours(taken: Iterable[str]) -> tuple[str, ...]:
    """Return the colours of the palette that are unlike all taken ones; without any, the whole palette."""
    others = tuple(taken)
    free = tuple(colour for colour in PALETTE if not any(is_alike(colour, other) for other in others))
    return free or PALETTE
