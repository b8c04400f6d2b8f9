"""The rules for valid bodies: where on a board the parts of snakes may lie."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from searcher.engine.position import Point

UNFOLDING = 2
"""The most parts on the tail's cell besides the tail: a snake starts with three parts on one cell."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The board under the bodies. A side of less than 1 is a separate violation and sets no bound here."""

    width: int
    height: int
    wrapped: bool

    def holds(self, point: Point) -> bool:
        """Return whether the point is on the board."""
        x, y = point
        return (
            x >= 0 and y >= 0 and (x < self.width or self.width < 1) and (y < self.height or self.height < 1)
        )

    def joins(self, one: Point, other: Point) -> bool:
        """Return whether two points share an edge; on a wrapped board, across the seams as well."""
        dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
        if self.wrapped:
            dx, dy = _around(dx, self.width), _around(dy, self.height)
        return dx + dy == 1

    @property
    def most_parts(self) -> int:
        """The longest possible body, in parts."""
        return max(1, self.width) * max(1, self.height) + UNFOLDING

    def __str__(self) -> str:
        return f"{self.width}x{self.height} board"


def _around(distance: int, side: int) -> int:
    return min(distance, side - distance) if distance < side else distance


def body_faults(body: Sequence[Point], ground: Ground) -> Iterator[tuple[int, str]]:
    """Yield the index of each invalid part of a body, head first, with the reason.

    Parts may share a cell only at the tail, where a snake unfolds.
    """
    unfolding_from = next((index for index, part in enumerate(body) if part == body[-1]), 0)
    for index, part in enumerate(body):
        before = body[index - 1]
        if not ground.holds(part):
            yield index, f"{part} is off the {ground}"
        elif index == 0 or (part == before and index > unfolding_from):
            continue
        elif part == before:
            yield index, "is on the cell of the part before it; only parts that unfold at the tail may be"
        elif not ground.joins(part, before):
            yield index, f"{part} is not next to the part before it, {before}"


def shared_cells(bodies: Sequence[Sequence[Point]]) -> Iterator[tuple[int, int, str]]:
    """Yield each part on a cell that is taken already, by its own body or another: snake, part and reason."""
    owners: dict[Point, tuple[int, int]] = {}
    for snake, body in enumerate(bodies):
        for index, part in enumerate(body):
            if index and part == body[index - 1]:
                continue
            if part in owners:
                other, at = owners[part]
                yield snake, index, f"{part} is also the cell of snakes[{other}].body[{at}]"
            else:
                owners[part] = snake, index
