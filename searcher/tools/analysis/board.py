"""A drawing of a board: a letter for each snake, upper case for its head, and whose letter is whose."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from string import ascii_uppercase

from rich.table import Table
from rich.text import Text

from searcher.engine.position import Point, Position, Snake

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
"""The colours of the snakes, in the order of the position."""

_FOOD_STYLE, _HAZARD_STYLE, _FAINT = "bold bright_white", "yellow", "dim"


def letter(snake: int) -> Text:
    """Return the letter of the snake at this index, in its colour."""
    return Text(ascii_uppercase[snake], style=f"bold {style_of(snake)}")


def style_of(snake: int) -> str:
    """Return the colour of the snake at this index."""
    return _SNAKE_STYLES[snake]


def draw_board(position: Position) -> Text:
    """Return the board with coordinates; a dash joins parts of a snake that lie side by side."""
    cells = _draw_ground(position)
    joints: dict[Point, Text] = {}
    for number, snake in enumerate(position.snakes):
        style = style_of(number)
        cells |= {part: Text(ascii_uppercase[number].lower(), style) for part in snake.body}
        joints |= {right: Text("-", style) for right in _joined_to_the_left(snake)}
    for number, snake in enumerate(position.snakes):
        cells[snake.body[0]] = letter(number)
    lines = [_row(position.width, y, cells, joints) for y in reversed(range(position.height))]
    return Text("\n").join([*lines, *_axis(position.width)])


def _draw_ground(position: Position) -> dict[Point, Text]:
    layers = Counter(position.hazards)
    hazards = {
        point: Text(HAZARD if count == 1 else str(min(count, 9)), _HAZARD_STYLE)
        for point, count in layers.items()
    }
    food = {point: Text(FOOD_IN_HAZARD if point in layers else FOOD, _FOOD_STYLE) for point in position.food}
    return hazards | food


def _joined_to_the_left(snake: Snake) -> list[Point]:
    """Return the cells of a snake whose neighbour on the left is the next or the previous part."""
    pairs = (sorted(pair) for pair in pairwise(snake.body))
    return [right for left, right in pairs if (right[0] - left[0], right[1] - left[1]) == (1, 0)]


def _row(width: int, y: int, cells: dict[Point, Text], joints: dict[Point, Text]) -> Text:
    points = [(x, y) for x in range(width)]
    pairs = ((joints.get(point, " "), cells.get(point, Text(EMPTY, _FAINT))) for point in points)
    return Text.assemble((f"{y:>2}", _FAINT), *chain.from_iterable(pairs))


def _axis(width: int) -> list[Text]:
    """Return the numbers of the columns, read from top to bottom."""
    tens = "".join(f" {x // 10 if x and x % 10 == 0 else ' '}" for x in range(width))
    units = "".join(f" {x % 10}" for x in range(width))
    return [Text(f"  {digits}".rstrip(), _FAINT) for digits in (units, tens) if digits.strip()]


def draw_key(position: Position) -> Text:
    """Return what the signs on the board mean, except for letters."""
    layers, food = Counter(position.hazards), set(position.food)
    meanings = {
        f"{FOOD} food": bool(food - layers.keys()),
        f"{FOOD_IN_HAZARD} food in a hazard": bool(food & layers.keys()),
        f"{HAZARD} hazard (damage {position.ruleset.hazard_damage})": 1 in layers.values(),
        "2 to 9 layers of hazard": any(count > 1 for count in layers.values()),
    }
    return Text("   ".join(text for text, is_there in meanings.items() if is_there), _FAINT)


def draw_legend(position: Position, names: Sequence[str]) -> Table:
    """Return a line for each snake: its letter, name, id, health and length, and whether it is to move."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for column in ("letter", "you", "name", "id", "health", "length", "hazard"):
        # On a narrow terminal ids are cut, then names.
        table.add_column(column, no_wrap=column != "id")
    for number, (snake, name) in enumerate(zip(position.snakes, names, strict=True)):
        you = Text("you" if number == position.you else "", "bold")
        state = f"health {snake.health:>3}", f"length {len(snake.body):>3}"
        hazard = "head in a hazard" if snake.body[0] in position.hazards else ""
        id_ = printable(snake.id)
        id_.no_wrap, id_.overflow = True, "ellipsis"
        table.add_row(letter(number), you, printable(name), id_, *state, hazard)
    return table


def printable(text: str) -> Text:
    """Return a text from elsewhere as it is, but without characters that control a terminal."""
    return Text("".join(character if character.isprintable() else "?" for character in text))
