"""A block: the smallest fair unit of a match, determined by its number.

Every seating of its entrants is played once on one start with one seed: a pair of games with swapped starts
for two entrants, a cyclic rotation for more. A block is the job of a worker process.
"""

import asyncio
import zlib
from time import perf_counter
from typing import TYPE_CHECKING

from arena.games import boards
from arena.games.entrants import make_player
from arena.games.game import play_game
from arena.games.openings import Book
from arena.matches.seating import seatings
from arena.records.model import Block, Game, Setup

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles


def play_block(
    setup: Setup, book: Book | None, number: int, credentials: "CredentialFiles | None" = None
) -> Block:
    """Play a block. With limits other than time, the same arguments give the same games.

    Raises OSError or ValueError if the credentials of gRPC targets are invalid.
    """
    started = perf_counter()
    games = asyncio.run(_play(setup, book, number, credentials))
    return Block(number, games, round((perf_counter() - started) * 1000, 1))


async def _play(
    setup: Setup, book: Book | None, number: int, credentials: "CredentialFiles | None"
) -> tuple[Game, ...]:
    seed = zlib.crc32(f"{setup.seed} {number}".encode())
    if book is None:
        start = boards.set_up_board(setup.rules, setup.snakes, seed)
    else:
        start = book.starts[number % len(book.starts)]
    players = [make_player(entrant, credentials) for entrant in setup.entrants]
    games = []
    try:
        for index, seats in enumerate(seatings(setup, number)):
            name = f"{setup.seed}-{number}-{index}"
            game = await play_game(setup, players, start, seats, seed, name)
            games.append(game)
            if game.ending == "strict":
                break
    finally:
        await asyncio.gather(*(player.close() for player in players))
    return tuple(games)
