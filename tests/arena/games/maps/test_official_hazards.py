"""Hazards and starts of maps that leave only the start to chance, compared with the official engine's."""

from collections import Counter
from pathlib import Path

import pytest

from arena.games import boards
from arena.records import Cell, Rules
from searcher.engine.position import Position
from tests.arena.games.maps.map_rules import hazards_after, rules_of
from tests.arena.games.maps.official_games import mortal, play, positions, updates

TURNS = 120
"""More than all periods of the hazards with the settings here."""

EVERY = 5
"""Turns between two steps of the hazards."""

SETTINGS = {"hazardDamagePerTurn": 0, "shrinkEveryNTurns": EVERY, "foodSpawnChance": 30}

STEADY = [
    *((name, (7, 7)) for name in ("hz_columns", "hz_inner_wall", "hz_rings", "snail_mode")),
    *(("sinkholes", (side, side)) for side in (7, 11, 19)),
    ("hz_hazard_pits", (11, 11)),
]
"""Maps whose hazards are known from the board, and sizes beyond those of test_official_rulesets.py."""

PLACED = [name for name in boards.map_names() if boards.game_map(name).sizes and name != "healing_pools"]
"""The maps with places of their own for snakes."""


def rules_for(name: str, size: tuple[int, int]) -> Rules:
    """The rules of ours that are like the settings of the engine."""
    return rules_of(map=name, width=size[0], height=size[1], shrink_every=EVERY, food_spawn_chance=30)


async def official_game(
    engine: Path, rules: Rules, snakes: int, seed: int, turns: int = TURNS
) -> list[Position]:
    """The positions of a game of the engine that lasts for about so many turns."""
    options = {"map": rules.map, "width": rules.width, "height": rules.height, "seed": seed}
    return positions(await play(engine, mortal(turns), snakes, **options, **SETTINGS))


def quarter(rules: Rules, cell: Cell) -> tuple[bool, bool]:
    """The quarter of the board that a cell lies in."""
    return cell[0] > rules.width // 2, cell[1] > rules.height // 2


@pytest.mark.parametrize(("name", "size"), STEADY)
async def test_hazards_are_the_engines_turn_by_turn(
    official_engine: Path, name: str, size: tuple[int, int]
) -> None:
    """From the first board on, the map places the same hazards with the same layers."""
    rules, snakes = rules_for(name, size), min(4, boards.game_map(name).most_snakes or 4)
    game = await official_game(official_engine, rules, snakes, seed=3)
    start = boards.set_up_board(rules, snakes, 1)
    assert Counter(start.hazards) == Counter(game[0].hazards)
    for before, after in updates(game):
        assert Counter(hazards_after(rules, before, 1)) == Counter(after.hazards)


@pytest.mark.parametrize("name", PLACED)
async def test_starts_are_among_ours(official_engine: Path, name: str) -> None:
    """The engine places snakes on cells that our seeds place them on, and as much food on such cells."""
    size, snakes = boards.default_size(name), min(6, boards.game_map(name).most_snakes or 6)
    rules = rules_for(name, size)
    starts = [boards.set_up_board(rules, snakes, seed) for seed in range(300)]
    start, *_ = await official_game(official_engine, rules, snakes, seed=snakes, turns=1)
    heads = [snake.body[0] for snake in start.snakes]
    assert set(heads) <= {body[0] for each in starts for body in each.bodies}
    assert set(start.food) <= {cell for each in starts for cell in each.food}
    assert len(start.food) in {len(each.food) for each in starts}
    assert all(snake.body == (snake.body[0],) * 3 for snake in start.snakes)
    if name.startswith(("hz_islands", "hz_rivers")):
        for each in (heads, *([body[0] for body in start.bodies] for start in starts)):
            assert len({quarter(rules, head) for head in each}) == min(4, snakes)
