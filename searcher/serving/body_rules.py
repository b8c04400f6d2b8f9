"""Whether snakes can lie on a board as they are said to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from searcher.engine.position import Point

UNFOLDING = 2
"""The most parts that lie on the tail's cell besides the tail: a snake starts as three parts on one cell."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where bodies lie. A side of less than 1 is an error of its own and sets no bound here."""

    width: int
    height: int
    wrapped: bool

    def holds(self, point: Point) -> bool:
        """Whether the point is on the board."""
        x, y = point
        return (
            x >= 0 and y >= 0 and (x < self.width or self.width < 1) and (y < self.height or self.height < 1)
        )

    def joins(self, one: Point, other: Point) -> bool:
        """Whether two points share an edge; on a wrapped board, across the seams as well."""
        dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
        if self.wrapped:
            dx, dy = _around(dx, self.width), _around(dy, self.height)
        return dx + dy == 1

    @property
    def most_parts(self) -> int:
        """The most parts that a body can have."""
        return max(1, self.width) * max(1, self.height) + UNFOLDING

    def __str__(self) -> str:
        return f"{self.width}x{self.height} board"


def _around(distance: int, side: int) -> int:
    return min(distance, side - distance) if 0 <= distance < side else distance


def body_faults(body: Sequence[Point], ground: Ground) -> Iterator[tuple[int, str]]:
    """What is wrong with each part of one body, by its index: head first, parts that unfold at the tail."""
    unfolding_from = next((index for index, part in enumerate(body) if part == body[-1]), 0)
    for index, part in enumerate(body):
        before = body[index - 1]
        if not ground.holds(part):
            yield index, f"{part} is off the {ground}"
        elif index == 0 or (part == before and index > unfolding_from):
            continue
        elif part == before:
            yield index, "lies on the part before it; only parts that unfold at the tail may"
        elif not ground.joins(part, before):
            yield index, f"{part} is not next to the part before it, {before}"


def shared_cells(bodies: Sequence[Sequence[Point]]) -> Iterator[tuple[int, int, str]]:
    """Cells that are used twice, by one body or by two: the snake, the part and what is wrong with it."""
    owners: dict[Point, tuple[int, int]] = {}
    for snake, body in enumerate(bodies):
        for index, part in enumerate(body):
            if index and part == body[index - 1]:
                continue
            if part in owners:
                other, at = owners[part]
                yield snake, index, f"{part} is the cell of snakes[{other}].body[{at}] as well"
            else:
                owners[part] = snake, index
