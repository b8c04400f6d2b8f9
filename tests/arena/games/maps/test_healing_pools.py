"""Pools of the map "healing_pools", compared with those of the official engine."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from arena.games import boards
from arena.records import Cell
from searcher.engine.position import Position
from tests.arena.games.maps.map_rules import hazards_after, square
from tests.arena.games.maps.official_games import mortal, play, positions

EVERY = 7
"""Turns between two pools that vanish."""


def ours(side: int, seed: int, turns: int) -> list[frozenset[Cell]]:
    """The pools of a game of ours, turn by turn."""
    rules = square(side, map="healing_pools", shrink_every=EVERY)
    pools = [boards.set_up_board(rules, 1, seed).hazards]
    for turn in range(1, turns):
        pools.append(hazards_after(rules, Position(side, side, (), (), pools[-1], turn=turn), seed))
    return [frozenset(each) for each in pools]


@pytest.mark.parametrize("side", [7, 11, 19])
async def test_pools_vanish_one_by_one_as_the_engines(official_engine: Path, side: int) -> None:
    """A game begins with one of the engine's sets of pools and loses a random one on the same turns."""
    games = [ours(side, seed, 60) for seed in range(120)]
    sets = Counter(game[0] for game in games)
    assert min(sets.values()) > 10
    for seed in range(1, 5):
        options = {"map": "healing_pools", "width": side, "height": side, "shrinkEveryNTurns": EVERY}
        game = positions(await play(official_engine, mortal(50), 1, seed=seed, **options))
        theirs = [frozenset(position.hazards) for position in game]
        assert theirs[0] in sets
        for each in (theirs, *games):
            gone = [len(before - after) for before, after in pairwise(each)]
            assert all(after <= before for before, after in pairwise(each))
            pools = len(each[0])
            turns = [EVERY * number + 1 for number in range(1, pools + 1)]
            assert gone == [int(turn in turns) for turn in range(1, len(each))]
