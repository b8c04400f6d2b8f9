"""Boards as drawings: a letter for each cell, the top row first. Maps of rivers are such drawings."""

from dataclasses import dataclass

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import new_food, rng_for, start_food, start_with
from arena.records import Cell, Rules, Start
from searcher.engine.position import Position

HAZARD = "#"


@dataclass(frozen=True)
class Drawing:
    """A drawing of a board, one line of text for each row."""

    text: str

    @property
    def size(self) -> tuple[int, int]:
        """The width and height of the board."""
        return len(self._rows[0]), len(self._rows)

    def cells(self, letters: str) -> tuple[Cell, ...]:
        """Return the cells that are marked with one of these letters, row by row from the bottom."""
        rows = enumerate(reversed(self._rows))
        return tuple((x, y) for y, row in rows for x, letter in enumerate(row) if letter in letters)

    @property
    def _rows(self) -> list[str]:
        return self.text.split()


_QUARTERS = "1234"
"""The letters of the cells to start from, one letter for each quarter of the board."""


@dataclass(frozen=True)
class Rivers:
    """A board on which no food appears on hazards."""

    drawing: Drawing

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """The only board that the map is played on."""
        return (self.drawing.size,)

    def set_up_board(self, rules: Rules, snakes: int, seed: int) -> Start:
        """Place the snakes in one quarter after the other, beginning with a random quarter."""
        rng = rng_for(seed, "start")
        places = [rng.sample(cells, len(cells)) for cells in map(self.drawing.cells, _QUARTERS)]
        first = rng.randrange(len(places))
        heads = [places[(first + snake) % len(places)].pop() for snake in range(snakes)]
        hazards = self.drawing.cells(HAZARD)
        food = start_food(rules, heads, rng, closed=[*heads, *hazards])
        return start_with(heads, food, hazards)

    def update_board(self, rules: Rules, position: Position, seed: int) -> BoardUpdate:
        """Add food as on the map "standard", but not on hazards."""
        return BoardUpdate(food=new_food(rules, position, seed, closed=position.hazards))
