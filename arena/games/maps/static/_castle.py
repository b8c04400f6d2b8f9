"""The maps "hz_castle_wall": a wall of hazards with passages. All food appears in the passages."""

from dataclasses import dataclass
from itertools import product

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import (
    cells_near_heads,
    cells_of_snakes,
    neighbours,
    rng_for,
    start_with,
)
from arena.records import Cell, Rules, Start
from searcher.engine.position import Position

_FEW_SNAKES = 4
"""The most snakes that start in the first group of cells alone."""

_FOOD_FROM = 11
"""The first turn after which food appears."""


@dataclass(frozen=True)
class Castle:
    """A square wall. The numbers of columns below are also the numbers of rows."""

    side: int
    """The number of cells in a row of the board."""
    wall: frozenset[int]
    """The columns that the wall is made of, on both sides."""
    passages: frozenset[int]
    """The columns of the passages through the wall."""
    starts: tuple[tuple[Cell, ...], tuple[Cell, ...]]
    """The first cells of snakes, in two groups. Up to four snakes use the first group, more use both."""
    most_food: int
    """No more food appears once the board has this number of pieces."""

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """The only board that the map is played on."""
        return ((self.side, self.side),)

    def set_up_board(self, _rules: Rules, snakes: int, seed: int) -> Start:
        """Place the snakes at random, without food."""
        first, second = self.starts
        places = first if snakes <= _FEW_SNAKES else first + second
        return start_with(rng_for(seed, "start").sample(places, snakes), food=(), hazards=self._hazards())

    def update_board(self, _rules: Rules, position: Position, seed: int) -> BoardUpdate:
        """Add a piece of food in a passage, away from snakes and from other food.

        In the official engine, food does not appear on bodies of dead snakes either.
        """
        if position.turn < _FOOD_FROM or len(position.food) >= self.most_food:
            return BoardUpdate()
        taken = cells_of_snakes(position) | cells_near_heads(position)
        taken.update(position.food, neighbours(position.food))
        cells = [cell for cell in self._wall() if self._is_passage(cell) and cell not in taken]
        rng = rng_for(seed, f"food {position.turn}")
        return BoardUpdate(food=tuple(rng.sample(cells, min(1, len(cells)))))

    def _hazards(self) -> list[Cell]:
        """Return the wall, with two layers next to a passage."""
        cells = [cell for cell in self._wall() if not self._is_passage(cell)]
        beside = {passage + step for passage in self.passages for step in (-1, 1)}
        return cells + [cell for cell in cells if beside.intersection(cell)]

    def _wall(self) -> list[Cell]:
        """Return all cells of the wall, passages included."""
        inside = range(min(self.wall), max(self.wall) + 1)
        return [cell for cell in product(inside, inside) if self.wall.intersection(cell)]

    def _is_passage(self, cell: Cell) -> bool:
        return not self.passages.isdisjoint(cell)
