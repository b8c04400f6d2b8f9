"""Mazes of the map "solo_maze": the official engine's and ours keep the same rules."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from arena.games import boards
from arena.games.boards import position_at
from arena.records import Cell
from searcher.engine.position import Position
from tests.arena.games.maps.map_rules import cells_of, neighbours, rules_of
from tests.arena.games.maps.official_games import hungry, mortal, play, positions

SIZES = [(7, 7), (11, 11), (19, 21)]


def number_of(position: Position) -> int:
    """The number of the maze in the lowest row."""
    bits = "".join("01"[(x, 0) in position.hazards] for x in range(position.width))
    return int(bits, 2)


def check_maze(position: Position, number: int, former: frozenset[Cell]) -> None:
    """Check a board on which the maze of this number begins after one with the `former` hazards."""
    width, height = position.width, position.height
    side = min(7 + number, width, height - 2)
    left, low = (width - side) // 2, (height - side) // 2
    inside = {(x + left, y + low) for x, y in cells_of(side, side)}
    outside = {cell for cell in cells_of(width, height) - inside if cell[1] > 0}
    assert number_of(position) == number
    assert len(position.hazards) == len(set(position.hazards))
    assert outside <= set(position.hazards)
    [snake] = position.snakes
    assert snake.body == ((left, low), *((left, low - 1),) * (number + 2))
    assert snake.health == 100
    check_food(position, side, inside - former)
    free = inside.difference(position.hazards)
    assert len(free) < len(inside) or side <= 3
    assert free == reached(snake.body[0], free)


def reached(head: Cell, free: set[Cell]) -> set[Cell]:
    """The free cells that a snake reaches."""
    found, edge = {head}, {head}
    while edge := {cell for each in edge for cell in neighbours(each)} & free - found:
        found |= edge
    return found


def steps(position: Position, cell: Cell) -> int:
    """The steps from the head to a cell."""
    x, y = position.snakes[0].body[0]
    return abs(cell[0] - x) + abs(cell[1] - y)


def check_food(position: Position, side: int, free: set[Cell]) -> None:
    """Check that there is at most one piece of food, on a free cell of the maze, away from the head."""
    valid = free - set(position.hazards) - set(position.snakes[0].body)
    far = {cell for cell in valid if steps(position, cell) >= min(5, side // 2)}
    assert len(position.food) == min(1, len(far))
    assert set(position.food) <= far


def begun(game: Sequence[Position]) -> Iterator[tuple[Position, int, frozenset[Cell]]]:
    """Each board of a game on which a maze begins, with the maze's number and the hazards before."""
    yield game[0], 0, frozenset()
    for before, after in pairwise(game):
        if number_of(after) != number_of(before):
            yield after, number_of(before) + 1, frozenset(before.hazards)


def ours(size: tuple[int, int], seed: int, mazes: int) -> list[Position]:
    """The boards of a game of ours in which the food is eaten at once, one for each maze."""
    rules = rules_of(map="solo_maze", ruleset="solo", width=size[0], height=size[1])
    game = [position_at(rules, boards.set_up_board(rules, 1, seed))]
    for turn in range(1, mazes):
        update = boards.update_board(rules, replace(game[-1], food=(), turn=turn), seed)
        assert update.restart is not None
        game.append(position_at(rules, update.restart))
    return game


@pytest.mark.parametrize("size", SIZES)
async def test_mazes_keep_the_engines_rules(official_engine: Path, size: tuple[int, int]) -> None:
    """The engine's mazes and ours pass the same check, from the first one on."""
    options = {"width": size[0], "height": size[1], "hazardDamagePerTurn": 0, "seed": 5}
    snake = mortal(200, hungry)
    theirs = positions(await play(official_engine, snake, 1, map="solo_maze", gametype="solo", **options))
    assert number_of(theirs[-1]) > 2
    for game in (theirs, *(ours(size, seed, 16) for seed in range(10))):
        for board in begun(game):
            check_maze(*board)


def moves_of_food(game: Sequence[Position]) -> int:
    """Check when and where food moves in a game of the engine on 7x7, and return how often it does."""
    rules = rules_of(map="solo_maze", ruleset="solo")
    inside, moves = {(x + 1, y + 1) for x, y in cells_of(5, 5)}, 0
    for before, after in pairwise(game):
        if number_of(before) != number_of(after):
            continue
        update = boards.update_board(rules, replace(after, food=before.food), 1)
        if number_of(after) < 4 or steps(after, before.food[0]) >= 5:
            assert (update.restart, after.food) == (None, before.food)
        else:
            assert update.restart is not None
            check_food(after, 5, inside)
            check_food(position_at(rules, update.restart), 5, inside)
            moves += 1
    return moves


async def test_the_food_of_the_last_mazes_moves_when_the_engines_does(official_engine: Path) -> None:
    """From maze 4 on, on a board of 7x7, food moves away whenever the head is closer than five steps."""
    options = {"map": "solo_maze", "gametype": "solo", "width": 7, "height": 7, "hazardDamagePerTurn": 0}
    games = [
        await play(official_engine, mortal(200, hungry), 1, **options, seed=seed) for seed in range(1, 6)
    ]
    assert sum(moves_of_food(positions(game)) for game in games) > 5
