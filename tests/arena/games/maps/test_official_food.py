"""Food of maps that have rules of their own for it, compared with the official engine's."""

from collections.abc import Callable
from itertools import product
from math import sqrt
from pathlib import Path

import pytest

from arena.games import boards
from arena.records import Cell, Rules
from searcher.engine.position import Position, Snake
from tests.arena.games.maps.map_rules import cells_of, neighbours, rules_of
from tests.arena.games.maps.official_games import mortal, play, positions, updates

Candidates = Callable[[Position], set[Cell]]
"""The cells on which the next food may appear."""


def crossings(walls: tuple[int, ...], passages: tuple[int, ...]) -> set[Cell]:
    """The cells in which passages cross walls. The numbers are of columns and of rows."""
    return {*product(walls, passages), *product(passages, walls)}


CASTLES = {
    "hz_castle_wall": (2, crossings((2, 8), (5,))),
    "hz_castle_wall_lg": (2, crossings((2, 3, 15, 16), (8, 10))),
    "hz_castle_wall_xl": (4, crossings((3, 4, 20, 21), (8, 12, 16))),
}
"""By map, the largest amount of food and the cells of the passages."""

ARCADE = {
    *((1, 1), (9, 1), (17, 1), (9, 5), (4, 7), (14, 7)),
    *((3, 11), (9, 11), (15, 11), (4, 17), (9, 17), (14, 17)),
}

RIVERS = [name for name in boards.map_names() if name.startswith(("hz_islands", "hz_rivers"))]


def rules_for(name: str, **fields: object) -> Rules:
    """The rules of ours on a map's own board."""
    width, height = boards.default_size(name)
    return rules_of(map=name, width=width, height=height, **fields)


async def official_game(engine: Path, rules: Rules, turns: int, seed: int = 4) -> list[Position]:
    """The positions of a game of the engine with one snake."""
    options = {
        "map": rules.map,
        "width": rules.width,
        "height": rules.height,
        "seed": seed,
        "minimumFood": rules.minimum_food,
        "foodSpawnChance": rules.food_spawn_chance,
        "hazardDamagePerTurn": 0,
    }
    return positions(await play(engine, mortal(turns), 1, **options))


def taken(position: Position) -> set[Cell]:
    """The cells of bodies and food."""
    return set(position.food).union(*(snake.body for snake in position.snakes))


def beside(cells: list[Cell]) -> set[Cell]:
    """The neighbours of some cells."""
    return set[Cell]().union(*map(neighbours, cells))


def heads(position: Position) -> list[Cell]:
    """The cells of the heads."""
    return [snake.body[0] for snake in position.snakes]


def passages(name: str) -> Candidates:
    """The passages of a castle without snakes, food and the neighbours of heads and food."""
    most, cells = CASTLES[name]

    def candidates(position: Position) -> set[Cell]:
        near = beside([*heads(position), *position.food])
        free = position.turn > 10 and len(position.food) < most
        return cells - taken(position) - near if free else set()

    return candidates


def dry(position: Position) -> set[Cell]:
    """The cells without hazards, food and bodies that are not next to a head."""
    board = cells_of(position.width, position.height)
    return board - taken(position) - beside(heads(position)) - set(position.hazards)


@pytest.mark.parametrize("name", CASTLES)
async def test_food_of_castles_appears_when_and_where_the_engines_does(
    official_engine: Path, name: str
) -> None:
    """Whenever there is room, a piece of food appears in one of the passages."""
    rules, candidates, found = rules_for(name), passages(name), set[Cell]()
    for before, after in updates(await official_game(official_engine, rules, 90)):
        added = after.food[len(before.food) :]
        assert len(added) == min(1, len(candidates(before)))
        assert set(added) <= candidates(before)
        ours = {boards.update_board(rules, before, seed).food for seed in range(60)}
        assert {len(food) for food in ours} == {len(added)}
        assert {cell for food in ours for cell in food} <= candidates(before)
        found.update(*ours)
    assert found == CASTLES[name][1]


@pytest.mark.parametrize("name", RIVERS)
async def test_no_food_appears_in_rivers(official_engine: Path, name: str) -> None:
    """Food appears anywhere else, the engine's and ours."""
    rules = rules_for(name, minimum_food=6, food_spawn_chance=30)
    game = await official_game(official_engine, rules, 90)
    for before, after in updates(game):
        assert set(after.food) - set(before.food) <= dry(before)
        assert set(boards.update_board(rules, before, 1).food) <= dry(before)
    bare = Position(rules.width, rules.height, (), (), game[0].hazards, turn=5)
    many = rules_for(name, minimum_food=30)
    found = {cell for seed in range(300) for cell in boards.update_board(many, bare, seed).food}
    assert found == dry(bare)


async def test_food_of_the_arcade_maze_appears_where_the_engines_does(official_engine: Path) -> None:
    """It appears on twelve cells, also next to a head but not on bodies, and whatever the minimum."""
    rules = rules_for("arcade_maze", minimum_food=3, food_spawn_chance=60)
    found = set[Cell]()
    game = await official_game(official_engine, rules, 150)
    assert game[0].food == boards.set_up_board(rules, 1, 1).food == ((9, 11),)
    for before, after in updates(game):
        added = set(after.food) - set(before.food)
        ours = {cell for seed in range(40) for cell in boards.update_board(rules, before, seed).food}
        assert added | ours <= ARCADE - taken(before)
        assert len(added) <= 1
        found |= ours
    assert found == ARCADE
    assert boards.set_up_board(rules_for("arcade_maze", minimum_food=0), 1, 1).food == ()


@pytest.mark.parametrize(("chance", "share"), [(0, 0.0), (1, 0.02), (15, 0.16), (99, 1.0)])
async def test_the_chance_of_food_in_the_arcade_maze_is_the_engines(
    official_engine: Path, chance: int, share: float
) -> None:
    """The chance is one per cent more than the setting, within five deviations of a binomial count."""
    rules = rules_for("arcade_maze", minimum_food=0, food_spawn_chance=chance)
    bare = Position(19, 21, (Snake("me", 90, ((0, 11),)),), (), turn=3)
    ours = [len(boards.update_board(rules, bare, seed).food) for seed in range(2000)]
    assert abs(sum(ours) - 2000 * share) <= 5 * sqrt(2000 * share * (1 - share))
    game = await official_game(official_engine, rules, 90)
    room = [(before, after) for before, after in updates(game) if ARCADE - taken(before)]
    theirs = [len(after.food) > len(before.food) for before, after in room]
    turns = len(theirs)
    assert abs(sum(theirs) - turns * share) <= 5 * sqrt(turns * share * (1 - share))
