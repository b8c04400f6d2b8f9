"""The schedule of a match: the seed and the seats of each block, the company, and the number of blocks.

In a match without company every entrant plays in every game. With company, only the contenders play in every
game, and members of the company take the other seats. In a gauntlet there is one contender, and the company
are its opponents.
"""

import zlib
from math import gcd
from random import Random

from arena.records import Setup


def block_seed(setup: Setup, number: int) -> int:
    """Return the seed of a block. All its games share it, so that every seating has the same start."""
    return zlib.crc32(f"{setup.seed} {number}".encode())


def seatings(setup: Setup, number: int) -> list[tuple[int, ...]]:
    """Return the entrant of each snake in each game of a block. Each playing entrant has every seat once."""
    table = _table(setup, number)
    return [
        tuple(table[(seat + turned) % len(table)] for seat in range(setup.snakes))
        for turned in range(len(table))
    ]


def games_in_block(setup: Setup) -> int:
    """Return the number of games in a block."""
    return setup.snakes if setup.company else len(setup.entrants)


def blocks_for(setup: Setup, games: int) -> int:
    """Return the fewest blocks with this number of games or, in a gauntlet, this number for each opponent.

    A gauntlet has whole rounds, so that every opponent plays equally often.
    """
    if setup.contenders > 1:
        return -(-games // games_in_block(setup))
    seated = min(setup.company, setup.snakes - 1)
    against_each = _blocks_in_round(setup) * games_in_block(setup) * seated // setup.company
    return -(-games // against_each) * _blocks_in_round(setup)


def drawn_company(setup: Setup, number: int) -> list[int]:
    """Return the members of the company that play in a block. A member may take several seats.

    Each round has the members in another order. Within a round, the numbers of seats that any two members
    have taken differ by at most one. At the end of the round they are equal.
    """
    seats = setup.snakes - setup.contenders
    played, place = divmod(number, _blocks_in_round(setup))
    order = list(range(setup.contenders, len(setup.entrants)))
    Random(f"{setup.seed} {played}").shuffle(order)
    return [order[(place * seats + seat) % len(order)] for seat in range(seats)]


def _table(setup: Setup, number: int) -> list[int]:
    """Return the entrants in the order in which they move around the seats."""
    if not setup.company:
        return list(range(len(setup.entrants)))
    table = [*range(setup.contenders), *drawn_company(setup, number)]
    # Otherwise a contender would have the same neighbour in every block.
    Random(f"{setup.seed} {number} table").shuffle(table)
    return table


def _blocks_in_round(setup: Setup) -> int:
    """Return the smallest number of blocks in which all members of the company can play equally often."""
    return setup.company // gcd(setup.company, setup.snakes - setup.contenders)
