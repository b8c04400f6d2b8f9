"""Points: the result of an entrant in a block, from 0 to 1, for two snakes as for eight."""

from collections.abc import Sequence
from itertools import product
from math import inf

from arena.records.model import Block, Game, Setup
from arena.statistics.tally import Tally


def points(setup: Setup, block: Block) -> tuple[float, ...]:
    """Return, for each entrant, the share of opposing snakes that its snakes outlived; ties count half.

    In a duel that is 1 for a win and 1/2 for a draw, averaged over the block's games. A snake alone in its
    game (solo) is compared with the snakes of the block's other games.
    """
    lifetimes = [_lifetimes(game) for game in block.games]
    if setup.snakes == 1:
        lifetimes = [[pair for game in lifetimes for pair in game]]
    by_game = [_game_points(len(setup.entrants), pairs) for pairs in lifetimes]
    return tuple(sum(shares) / len(by_game) for shares in zip(*by_game, strict=True))


def game_points(setup: Setup, game: Game) -> tuple[float, ...]:
    """Return the points of a single game with two snakes or more."""
    return _game_points(len(setup.entrants), _lifetimes(game))


def is_duel(setup: Setup) -> bool:
    """Return whether two entrants play one snake each, against each other."""
    return len(setup.entrants) == setup.snakes == 2


def tally_of(setup: Setup, values: Sequence[float]) -> Tally:
    """Return the tally of an entrant's points in each block."""
    if is_duel(setup):
        return Tally.of_pairs(values)
    return Tally.of_blocks(values, len(setup.entrants))


def _lifetimes(game: Game) -> list[tuple[int, float]]:
    """Return, for each snake, its entrant and the turns that it lived, infinite if it survived the game."""
    lives = [inf if death is None else float(death.turn) for death in game.deaths]
    if len(game.seats) == 1:
        # A lone survivor has lived as long as the limit of turns allowed.
        lives = [float(len(game.turns)) if life == inf else life for life in lives]
    return list(zip(game.seats, lives, strict=True))


def _game_points(entrants: int, lifetimes: list[tuple[int, float]]) -> tuple[float, ...]:
    shares = []
    for entrant in range(entrants):
        own = [life for seat, life in lifetimes if seat == entrant]
        others = [life for seat, life in lifetimes if seat != entrant]
        won = [1.0 if life > other else 0.5 if life == other else 0.0 for life, other in product(own, others)]
        shares.append(sum(won) / len(won) if won else 0.5)
    return tuple(shares)
