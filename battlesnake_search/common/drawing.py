"""A drawing of a board for a terminal: a letter for each snake, upper case for its head.

Needs rich, so a command imports it only when it draws.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, pairwise
from string import ascii_uppercase

from rich.text import Text

EMPTY, FOOD, HAZARD, FOOD_IN_HAZARD = ".", "*", "~", "%"

_SNAKE_STYLES = (
    "bright_green",
    "bright_red",
    "bright_cyan",
    "bright_magenta",
    "bright_yellow",
    "bright_blue",
    "dark_orange",
    "white",
)
"""The colours of the snakes, in the order of the game."""

_FOOD_STYLE, _HAZARD_STYLE, FAINT = "bold bright_white", "yellow", "dim"

_LONGEST_SIDE = 100
"""Cells. An engine may name any size, and each cell takes memory."""

Cell = tuple[int, int]
"""A point as (x, y), counted from the bottom left."""


def letter(snake: int) -> Text:
    """Return the letter of the snake at this index, in its colour."""
    return Text(ascii_uppercase[snake % len(ascii_uppercase)], style=f"bold {style_of(snake)}")


def style_of(snake: int) -> str:
    """Return the colour of the snake at this index."""
    return _SNAKE_STYLES[snake % len(_SNAKE_STYLES)]


def draw_board(
    width: int,
    height: int,
    bodies: Mapping[int, Sequence[Cell]],
    food: Collection[Cell],
    hazards: Collection[Cell],
) -> Text:
    """Return the board with coordinates; a dash joins parts of a snake that lie side by side.

    Bodies are head first, by the index of their snake. A cell given k times as a hazard has k layers. A board
    that no terminal has room for is not drawn.
    """
    if max(width, height) > _LONGEST_SIDE:
        return Text(f"A board of {width}x{height} cells is too large to be drawn.", FAINT)
    cells = _draw_ground(food, hazards)
    joints: dict[Cell, Text] = {}
    for snake, body in bodies.items():
        style = style_of(snake)
        cells |= {part: Text(letter(snake).plain.lower(), style) for part in body}
        joints |= {right: Text("-", style) for right in _joined_to_the_left(body)}
    for snake, body in bodies.items():
        cells[body[0]] = letter(snake)
    lines = [_row(width, y, cells, joints) for y in reversed(range(height))]
    return Text("\n").join([*lines, *_axis(width)])


def _draw_ground(food: Collection[Cell], hazards: Collection[Cell]) -> dict[Cell, Text]:
    layers = Counter(hazards)
    drawn = {
        point: Text(HAZARD if count == 1 else str(min(count, 9)), _HAZARD_STYLE)
        for point, count in layers.items()
    }
    return drawn | {point: Text(FOOD_IN_HAZARD if point in layers else FOOD, _FOOD_STYLE) for point in food}


def _joined_to_the_left(body: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a snake whose neighbour on the left is the next or the previous part."""
    pairs = (sorted(pair) for pair in pairwise(body))
    return [right for left, right in pairs if (right[0] - left[0], right[1] - left[1]) == (1, 0)]


def _row(width: int, y: int, cells: Mapping[Cell, Text], joints: Mapping[Cell, Text]) -> Text:
    points = [(x, y) for x in range(width)]
    pairs = ((joints.get(point, " "), cells.get(point, Text(EMPTY, FAINT))) for point in points)
    return Text.assemble((f"{y:>2}", FAINT), *chain.from_iterable(pairs))


def _axis(width: int) -> list[Text]:
    """Return the numbers of the columns, read from top to bottom."""
    tens = "".join(f" {x // 10 if x and x % 10 == 0 else ' '}" for x in range(width))
    units = "".join(f" {x % 10}" for x in range(width))
    return [Text(f"  {digits}".rstrip(), FAINT) for digits in (units, tens) if digits.strip()]


def draw_key(food: Collection[Cell], hazards: Collection[Cell], damage: int | None = None) -> Text:
    """Return the meanings of the signs on the board, except for letters. A hazard does `damage`, if known."""
    layers, lying = Counter(hazards), set(food)
    known = "" if damage is None else f" (damage {damage})"
    meanings = {
        f"{FOOD} food": bool(lying - layers.keys()),
        f"{FOOD_IN_HAZARD} food in a hazard": bool(lying & layers.keys()),
        f"{HAZARD} hazard{known}": 1 in layers.values(),
        "2 to 9 layers of hazard": any(count > 1 for count in layers.values()),
    }
    return Text("   ".join(text for text, is_there in meanings.items() if is_there), FAINT)


def printable(text: str) -> Text:
    """Return a text without the characters that control a terminal."""
    return Text("".join(character if character.isprintable() else "?" for character in text))
