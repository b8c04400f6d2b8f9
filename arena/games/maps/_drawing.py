"""Boards as drawings: a letter for each cell, the top row first."""

from dataclasses import dataclass

from arena.records.model import Cell

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
