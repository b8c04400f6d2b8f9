"""The names, colours, heads and tails of snakes in a film, as battlesnake_search/viewer chooses them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import Any

import msgspec

from battlesnake_search import viewer
from battlesnake_search.viewer.colours import PALETTE, colour_in, distance, is_alike, rgb
from console.store.values import Game, GameSnake

_LONGEST_NAME = 40
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]"
)
_FORMER = re.compile("^(bwc|shac)-")
"""The prefixes that the names of some heads and tails once had."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks of a snake. Head and tail are shapes of outlines.js."""

    name: str
    colour: str
    head: dict[str, Any]
    tail: dict[str, Any]


def looks_of(snakes: Sequence[GameSnake]) -> list[Looks]:
    """Return the looks of all snakes of a game.

    Namesakes are numbered. Of snakes of like colours, only the first keeps its own.
    """
    owned: list[str | None] = []
    for snake in snakes:
        wished = colour_in(snake.color)
        is_taken = wished is None or any(is_alike(wished, other) for other in owned if other)
        owned.append(None if is_taken else wished)
    taken = [colour for colour in owned if colour]
    looks = []
    for number, (snake, colour) in enumerate(zip(snakes, owned, strict=True)):
        if colour is None:
            colour = max(PALETTE, key=lambda each: _nearest(each, taken))
            taken.append(colour)
        shapes = _shape("heads", snake.head), _shape("tails", snake.tail)
        looks.append(Looks(_name(snakes, number), colour, *shapes))
    return looks


def readable(text: str) -> str:
    """Return a stranger's text without control characters, marks of direction and invisible marks."""
    return _INVISIBLE.sub("", text).strip()


def title_of(looks: Sequence[Looks]) -> str:
    """Return the title of a game: the names of its snakes."""
    return " \N{EN DASH} ".join(each.name for each in looks) or "Game"


def result_of(game: Game) -> str:
    """Return the result of a game in words; empty if no end is known."""
    if game.result is None:
        return ""
    if game.result.winner is not None:
        return f"{_name(game.snakes, game.result.winner)} won"
    return "draw" if len(game.snakes) > 1 else "the end"


def mix(colour: str, other: str, share: float) -> str:
    """Return a colour with a share, from 0 to 1, of another colour."""
    parts = (round(a + (b - a) * share) for a, b in zip(rgb(colour), rgb(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _nearest(colour: str, others: Sequence[str]) -> float:
    return min((distance(colour, other) for other in others), default=inf)


def _name(snakes: Sequence[GameSnake], number: int) -> str:
    name = readable(snakes[number].name) or "unnamed snake"
    name = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    same = [index for index, snake in enumerate(snakes) if snake.name == snakes[number].name]
    return name if len(same) == 1 else f"{name} #{same.index(number) + 1}"


def _shape(kind: str, name: str) -> dict[str, Any]:
    """Return the shape of an official head or tail. An unknown name has the default's shape."""
    shapes = _shapes()[kind]
    found: dict[str, Any] = shapes.get(_FORMER.sub("", name or ""), shapes["default"])
    return found


@cache
def _shapes() -> dict[str, Any]:
    source = (viewer.FOLDER / "outlines.js").read_text(encoding="utf-8")
    found: dict[str, Any] = msgspec.json.decode(source.partition("SHAPES = ")[2].rstrip().removesuffix(";"))
    return found
