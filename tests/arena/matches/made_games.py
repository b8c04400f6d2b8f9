"""Synthetic games and blocks, described by what matters to points and sums."""

from collections.abc import Mapping, Sequence

from arena.records.model import Block, Death, Decision, Ending, Fault, Game, Start, Turn

LENGTH = 10
"""The turns of a game."""

MILLISECONDS = 2.0
"""The time of a decision."""


def game_of(
    seats: Sequence[int],
    died: Sequence[int | None],
    ending: Ending = "one left",
    void: str | None = None,
    faults: Mapping[tuple[int, int], Fault] | None = None,
) -> Game:
    """A game with the entrant and the turn of death by snake, and the faults by turn and snake."""
    faults = faults or {}
    return Game(
        seats=tuple(seats),
        start=Start(0, tuple(((0, 0),) * 3 for _ in seats), (100,) * len(seats), ()),
        turns=tuple(Turn(_decisions(turn, died, faults)) for turn in range(LENGTH)),
        deaths=tuple(None if turn is None else Death(turn, "wall-collision") for turn in died),
        ending=ending,
        void=void,
    )


def _decisions(
    turn: int, died: Sequence[int | None], faults: Mapping[tuple[int, int], Fault]
) -> tuple[Decision | None, ...]:
    return tuple(
        Decision("up", MILLISECONDS, faults.get((turn, snake))) if last is None or turn <= last else None
        for snake, last in enumerate(died)
    )


def block_of(*games: Game, number: int = 0) -> Block:
    """A block that took a tenth of a second."""
    return Block(number, games, 100.0)


def duel(*points: float) -> Block:
    """A pair of games, each given by the points of the first entrant: 1, 1/2 or 0."""
    died: dict[float, tuple[int | None, int | None]] = {1: (None, 9), 0.5: (9, 9), 0: (9, None)}
    first, second = points
    return block_of(game_of((0, 1), died[first]), game_of((1, 0), died[second][::-1]))
