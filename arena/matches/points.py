"""The points of a block. They are from 0 to 1, with any number of snakes."""

from collections.abc import Iterable, Sequence
from itertools import product
from math import inf

from arena.records import Block, Game, Setup


def points(setup: Setup, block: Block) -> tuple[float, ...]:
    """Return, for each contender, the share of opposing snakes that the contender's snakes outlived.

    Ties count half. In a duel the share is 1 for a win and 1/2 for a draw, averaged over the block's games. A
    snake alone in its game (solo) is compared with the snakes of the block's other games. Contenders are
    compared with each other. The single contender of a gauntlet is compared with its company.
    """
    compared = range(setup.contenders if setup.contenders > 1 else len(setup.entrants))
    if setup.snakes == 1:
        return _shares([pair for game in block.games for pair in _lifetimes(game)], compared)
    by_game = [shares_outlived(game, compared) for game in block.games]
    means = [sum(shares) / len(by_game) for shares in zip(*by_game, strict=True)]
    return tuple(means[: setup.contenders])


def shares_outlived(game: Game, entrants: Sequence[int]) -> tuple[float, ...]:
    """Return, for each of some entrants, the share of the others' snakes that it outlived.

    The share is 1/2 for an entrant that is not in the game.
    """
    return _shares([pair for pair in _lifetimes(game) if pair[0] in entrants], entrants)


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


def _shares(lifetimes: Sequence[tuple[int, float]], entrants: Iterable[int]) -> tuple[float, ...]:
    shares = []
    for entrant in entrants:
        own = [life for seat, life in lifetimes if seat == entrant]
        others = [life for seat, life in lifetimes if seat != entrant]
        won = [1.0 if life > other else 0.5 if life == other else 0.0 for life, other in product(own, others)]
        shares.append(sum(won) / len(won) if won else 0.5)
    return tuple(shares)
