"""The points of a block. They are from 0 to 1, with any number of snakes."""

from itertools import product
from math import inf

from arena.records import Block, Game, Setup


def points(setup: Setup, block: Block) -> tuple[float, ...]:
    """Return, for each contender, the share of opposing snakes that the contender's snakes outlived.

    Ties count half. In a duel the share is 1 for a win and 1/2 for a draw, averaged over the block's games. A
    snake alone in its game (solo) is compared with the snakes of the block's other games. Contenders are
    compared with each other. The single contender of a gauntlet is compared with its company.
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
    """Return, for each entrant, the share of other snakes that it outlived, or 1/2 for an absent entrant."""
    return _shares_outlived(len(setup.entrants), _lifetimes(game))


def points_against(opponent: int, game: Game) -> float:
    """Return the share of an opponent's snakes that the first entrant's snakes outlived in a game."""
    return _shares_outlived(1, [pair for pair in _lifetimes(game) if pair[0] in (0, opponent)])[0]


def is_duel(setup: Setup) -> bool:
    """Return whether a game has two snakes, of two entrants."""
    return setup.snakes == 2


def _lifetimes(game: Game) -> list[tuple[int, float]]:
    """Return the entrant of each snake, and its lifetime in turns. A survivor's lifetime is infinite."""
    lives = [inf if death is None else float(death.turn) for death in game.deaths]
    if len(game.seats) == 1:
        # A snake alone that survived has lived until the limit of turns.
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
