"""Games of snakes that go round in circles, one of which eats now and then."""

from collections.abc import Mapping, Sequence

from arena.records import Cell, Decision, Game, Move, RecordedDeath, Start, Turn

ROUND: tuple[Move, ...] = ("up", "right", "down", "left")
"""The moves of a circle, which starts at its lower left corner."""

CORNERS: tuple[Cell, ...] = ((1, 1), (8, 8), (1, 8), (8, 1))
"""The lower left corner of each snake's circle."""


def circling(
    turns: int,
    meals: Mapping[int, Sequence[int]] | None = None,
    seats: Sequence[int] = (0, 1),
    start: int = 0,
) -> Game:
    """A game on 11x11; `meals` are, by snake, the turns whose move finds food. All survive.

    A circle has room for one meal, or for a second one just before the lengths are compared.
    """
    meals = meals or {}
    corners = CORNERS[: len(seats)]
    appearing: dict[int, list[Cell]] = {}
    for snake, eaten in meals.items():
        for turn in eaten:
            appearing.setdefault(turn - 1, []).append(_cell(CORNERS[snake], turn + 1))
    return Game(
        seats=tuple(seats),
        start=Start(start, tuple((corner,) * 3 for corner in corners), (100,) * len(seats), ()),
        turns=tuple(
            Turn((Decision(ROUND[turn % 4], 1.0),) * len(seats), tuple(appearing.get(turn, ())))
            for turn in range(turns)
        ),
        deaths=tuple[RecordedDeath | None, ...]([None] * len(seats)),
        ending="turn limit",
    )


def _cell(corner: Cell, moves: int) -> Cell:
    """Return where a snake's head is after this number of moves."""
    x, y = corner
    return ((x, y), (x, y + 1), (x + 1, y + 1), (x + 1, y))[moves % 4]
