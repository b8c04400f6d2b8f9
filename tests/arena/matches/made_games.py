"""Synthetic games and blocks, described by what matters to points and sums."""

from collections.abc import Mapping, Sequence

from arena.matches.standing import Standing
from arena.records import Block, Decision, Ending, Fault, Game, RecordedDeath, Setup, Start, Turn

LENGTH = 10
"""The turns of a game, unless another number is given."""

MILLISECONDS = 2.0
"""The time of a decision."""


def game_of(
    seats: Sequence[int],
    died: Sequence[int | None],
    ending: Ending = "one left",
    void: str | None = None,
    faults: Mapping[tuple[int, int], Fault] | None = None,
    scores: Mapping[tuple[int, int], float] | None = None,
    length: int = LENGTH,
    causes: Sequence[str] = (),
) -> Game:
    """A game with the entrant and the turn of death by snake, and the faults and scores by turn and snake.

    Causes of death are by snake, walls by default.
    """
    faults, scores = faults or {}, scores or {}
    why = causes or ["wall-collision"] * len(died)
    return Game(
        seats=tuple(seats),
        start=Start(0, tuple(((0, 0),) * 3 for _ in seats), (100,) * len(seats), ()),
        turns=tuple(Turn(_decisions(turn, died, faults, scores)) for turn in range(length)),
        deaths=tuple(
            None if turn is None else RecordedDeath(turn, cause)
            for turn, cause in zip(died, why, strict=True)
        ),
        ending=ending,
        void=void,
    )


def _decisions(
    turn: int,
    died: Sequence[int | None],
    faults: Mapping[tuple[int, int], Fault],
    scores: Mapping[tuple[int, int], float],
) -> tuple[Decision | None, ...]:
    return tuple(
        Decision("up", MILLISECONDS, faults.get((turn, snake)), score=scores.get((turn, snake)))
        if last is None or turn <= last
        else None
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


def standing_of(setup: Setup, *blocks: Block) -> Standing:
    """The sum of the blocks."""
    standing = Standing(setup)
    for block in blocks:
        standing.add(block)
    return standing
