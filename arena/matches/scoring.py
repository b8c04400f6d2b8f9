"""Points: the result of an entrant in a block, from 0 to 1, for two snakes as for eight."""

from collections.abc import Sequence
from itertools import product
from math import inf

from arena.matches.seating import games_in_block
from arena.records.model import Block, Game, Setup
from arena.statistics.tally import Tally


def points(setup: Setup, block: Block) -> tuple[float, ...]:
    """Return, for each contender, the share of opposing snakes that its snakes outlived; ties count half.

    In a duel that is 1 for a win and 1/2 for a draw, averaged over the block's games. A snake alone in its
    game (solo) is compared with the snakes of the block's other games. Contenders are compared with each
    other; a single one, in a gauntlet, is compared with its company.
    """
    lifetimes = [_lifetimes(game) for game in block.games]
    if setup.snakes == 1:
        lifetimes = [[pair for game in lifetimes for pair in game]]
    by_game = [_shares_outlived(setup.contenders, _compared(setup, pairs)) for pairs in lifetimes]
    return tuple(sum(shares) / len(by_game) for shares in zip(*by_game, strict=True))


def game_points(setup: Setup, game: Game) -> tuple[float, ...]:
    """Return the contenders' points of a single game with two snakes or more."""
    return _shares_outlived(setup.contenders, _compared(setup, _lifetimes(game)))


def shares_outlived(setup: Setup, game: Game) -> tuple[float, ...]:
    """Return, for each entrant, the share of all other snakes that it outlived; 1/2 if it did not play."""
    return _shares_outlived(len(setup.entrants), _lifetimes(game))


def points_against(opponent: int, game: Game) -> float:
    """Return the share of an opponent's snakes that the first entrant's snakes outlived in a game."""
    return _shares_outlived(1, [pair for pair in _lifetimes(game) if pair[0] in (0, opponent)])[0]


def is_duel(setup: Setup) -> bool:
    """Return whether a game is one of two snakes, which are of two entrants."""
    return setup.snakes == 2


def tally_of(setup: Setup, values: Sequence[float]) -> Tally:
    """Return the tally of an entrant's points in each block."""
    if is_duel(setup):
        return Tally.of_pairs(values)
    return Tally.of_blocks(values, games_in_block(setup))


def _lifetimes(game: Game) -> list[tuple[int, float]]:
    """Return, for each snake, its entrant and the turns that it lived, infinite if it survived the game."""
    lives = [inf if death is None else float(death.turn) for death in game.deaths]
    if len(game.seats) == 1:
        # A lone survivor has lived as long as the limit of turns allowed.
        lives = [float(len(game.turns)) if life == inf else life for life in lives]
    return list(zip(game.seats, lives, strict=True))


def _compared(setup: Setup, lifetimes: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return the lifetimes of the snakes that points compare."""
    if setup.contenders == 1:
        return lifetimes
    return [pair for pair in lifetimes if pair[0] < setup.contenders]


def _shares_outlived(entrants: int, lifetimes: list[tuple[int, float]]) -> tuple[float, ...]:
    shares = []
    for entrant in range(entrants):
        own = [life for seat, life in lifetimes if seat == entrant]
        others = [life for seat, life in lifetimes if seat != entrant]
        won = [1.0 if life > other else 0.5 if life == other else 0.0 for life, other in product(own, others)]
        shares.append(sum(won) / len(won) if won else 0.5)
    return tuple(shares)
