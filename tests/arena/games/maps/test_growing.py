"""Hazards that grow at random: the official engine's and ours keep the same rules."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from arena.games import boards
from arena.records import Cell
from searcher.engine.position import Position
from tests.arena.games.maps.map_rules import cells_of, hazards_after, square
from tests.arena.games.maps.official_games import mortal, play, positions

TURNS = 90
"""Turns of the engine's games. The engine fails when hz_scatter has filled a board of 7x7."""

ENGINE_SEEDS = (1,)
"""Seeds of the engine's games. With a seed of 0 it places the hazards elsewhere on every turn."""

History = Sequence[tuple[Cell, ...]]
"""The hazards of a game, turn by turn."""


async def theirs(engine: Path, name: str, side: int, seed: int, turns: int = TURNS) -> History:
    """The hazards of a game of the engine that lasts for about so many turns."""
    options = {"width": side, "height": side, "hazardDamagePerTurn": 0, "foodSpawnChance": 40}
    game = positions(await play(engine, mortal(turns), 1, map=name, seed=seed, **options))
    return [position.hazards for position in game]


def ours(name: str, side: int, seed: int, turns: int) -> History:
    """The hazards of a game of ours that has this number of boards."""
    rules = square(side, map=name)
    history = [boards.set_up_board(rules, 1, seed).hazards]
    for turn in range(1, turns):
        position = Position(side, side, (), (), history[-1], turn=turn)
        history.append(hazards_after(rules, position, seed))
    return history


def first(history: History) -> Cell:
    """The first hazard of a game."""
    return next(hazards[0] for hazards in history if hazards)


def distance(cell: Cell, other: Cell) -> int:
    """The larger one of the distances along a row and along a column."""
    return max(abs(cell[0] - other[0]), abs(cell[1] - other[1]))


def additions(history: History) -> list[tuple[int, tuple[Cell, ...]]]:
    """Each turn that adds hazards, with what it adds; no turn removes any, or adds to a hazard."""
    for before, after in pairwise(history):
        assert after[: len(before)] == before
        assert len(set(after)) == len(after)
    changes = enumerate(pairwise(history), 1)
    return [(turn, after[len(before) :]) for turn, (before, after) in changes if before != after]


def check_scatter(history: History, side: int) -> None:
    """Every other turn adds one cell until the board is full."""
    added = additions(history)
    assert [turn for turn, _ in added] == list(range(2, min(len(history), 2 * side * side + 1), 2))
    assert all(len(cells) == 1 for _, cells in added)


def check_expand_scatter(history: History, side: int) -> None:
    """Every other turn adds one cell; a ring around the first one is full before the next one begins."""
    added = additions(history)
    assert [turn for turn, _ in added] == list(range(1, min(len(history), 2 * side * side), 2))
    order = [cell for _, cells in added for cell in cells]
    assert len(order) == len(added)
    nearest = sorted(distance(cell, order[0]) for cell in cells_of(side, side))
    assert [distance(cell, order[0]) for cell in order] == nearest[: len(order)]


def check_grow_box(history: History, side: int) -> None:
    """Every twelve turns a box grows by a line on one side."""
    added, box = additions(history), set[Cell]()
    for number, (turn, cells) in enumerate(added):
        box |= set(cells)
        columns, rows = ({cell[axis] for cell in box} for axis in (0, 1))
        assert turn == 12 * number + 1
        assert len(box) == len(columns) * len(rows)
        assert len(columns) + len(rows) == number + 2
    assert len(added) == min(1 + (len(history) - 2) // 12, 2 * side - 1)


@pytest.mark.parametrize("side", [7, 11])
@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("hz_scatter", check_scatter),
        ("hz_expand_scatter", check_expand_scatter),
        ("hz_grow_box", check_grow_box),
    ],
)
async def test_random_hazards_keep_the_engines_rules(
    official_engine: Path, name: str, check: Callable[[History, int], None], side: int
) -> None:
    """The engine's games and ours, which go on until the board is full, pass the same check."""
    for seed in ENGINE_SEEDS:
        check(await theirs(official_engine, name, side, seed), side)
    for seed in range(4):
        history = ours(name, side, seed, 270)
        check(history, side)
        assert set(history[-1]) == cells_of(side, side)


@pytest.mark.parametrize("side", [7, 11])
@pytest.mark.parametrize("name", ["hz_spiral", "hz_expand_box"])
async def test_hazards_follow_from_the_first_as_the_engines(
    official_engine: Path, name: str, side: int
) -> None:
    """A game of ours with the engine's first hazard has the engine's hazards throughout."""
    for seed in ENGINE_SEEDS:
        game = await theirs(official_engine, name, side, seed)
        same = next(each for each in range(2000) if first(ours(name, side, each, 4)) == first(game))
        history = ours(name, side, same, len(game))
        assert [Counter(hazards) for hazards in history] == [Counter(hazards) for hazards in game]
        assert len(history[-1]) > 2


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("hz_expand_box", 2, 9),
        ("hz_expand_scatter", 1, 10),
        ("hz_grow_box", 2, 9),
        ("hz_scatter", 0, 10),
        ("hz_spiral", 3, 7),
    ],
)
async def test_growth_begins_where_the_engines_does(
    official_engine: Path, name: str, low: int, high: int
) -> None:
    """The first hazard is any cell between two columns and two rows, and no other cell."""
    places = {(x, y) for x in range(low, high + 1) for y in range(low, high + 1)}
    assert {first(ours(name, 11, seed, 4)) for seed in range(12 * len(places))} == places
    for seed in range(3, 5):
        assert first(await theirs(official_engine, name, 11, seed, turns=6)) in places
