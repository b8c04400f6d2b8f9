"""The opponents of the pool that look one turn ahead, as tests play them."""

import asyncio
from dataclasses import replace

from arena.games.entrants import one_turn_opponents
from arena.players.one_turn import OneTurnPlayer
from searcher.engine.position import Direction, Position
from tests.arena.games.single_turn import play_turn
from tests.arena.players.recorded_views import view_of

SEEDS = range(1, 13)
"""So many seeds that each of up to three equal moves is chosen by one of them."""


def move_of(name: str, position: Position, seed: int = 7) -> Direction:
    """The move of an opponent."""
    player = OneTurnPlayer(one_turn_opponents()[name].rate)
    return asyncio.run(player.choose(view_of(position, seed))).move


def moves_of(name: str, position: Position) -> set[Direction]:
    """The moves that an opponent plays for some seed."""
    return {move_of(name, position, seed) for seed in SEEDS}


def played_alone(name: str, position: Position, turns: int) -> list[Position]:
    """The positions after each of some turns of a snake that is alone."""
    positions = []
    for _ in range(turns):
        position, fell = play_turn(position, {position.snakes[0].id: move_of(name, position)})
        assert not fell
        positions.append(position)
    return positions


def seen_by_each(position: Position) -> list[Position]:
    """The position as each of its snakes sees it."""
    return [replace(position, you=index) for index in range(len(position.snakes))]
