"""A drawing of a position: its board, what the signs on it mean, and whose letter is whose."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from battlesnake_search.common import drawing
from battlesnake_search.common.drawing import letter, printable
from searcher.engine.position import Position


def draw_board(position: Position) -> Text:
    """Return the board with coordinates; a dash joins parts of a snake that lie side by side."""
    bodies = {number: snake.body for number, snake in enumerate(position.snakes)}
    return drawing.draw_board(position.width, position.height, bodies, position.food, position.hazards)


def draw_key(position: Position) -> Text:
    """Return what the signs on the board mean, except for letters."""
    return drawing.draw_key(position.food, position.hazards, position.ruleset.hazard_damage)


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
