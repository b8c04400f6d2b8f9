"""Matches for the tests of the report: real games of snakes that move at random."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from random import Random

from msgspec.structs import replace

from arena.data.playing import free_moves
from arena.games import boards
from arena.games.game import play_game
from arena.matches.schedule import seatings
from arena.players.player import ChosenMove, FaultError, Player, View
from arena.records import FAULTS, Block, Entrant, Game, Match, MoveLimits, Rules, Setup, Start
from arena.statistics.sprt import Sprt
from searcher.engine.position import Direction

_FAULT_EVERY = 23

DUEL = Rules("standard", "standard", 11, 11, 1, 15, 14, 0, 300)
ROYALE = Rules("royale", "royale", 11, 11, 1, 15, 14, 5, 300)
WRAPPED = Rules("wrapped", "standard", 7, 9, 1, 15, 14, 0, 300)
SOLO_MAZE = Rules("solo", "solo_maze", 7, 7, 1, 15, 0, 0, 60)


def setup_of(
    rules: Rules, names: tuple[str, ...] = ("one", "two"), snakes: int = 2, company: int = 0
) -> Setup:
    """A setup whose entrants have a second for a move."""
    entrants = tuple(Entrant(name, f"strategy of {name}", MoveLimits(milliseconds=1000)) for name in names)
    return Setup(entrants, snakes, rules, seed=7, company=company)


def with_test(match: Match, sprt: Sprt) -> Match:
    """A match with a sequential test."""
    return Match(replace(match.setup, test=sprt), match.blocks)


class _RandomPlayer(Player):
    """Moves at random. The first snake of a game reports everything, the others nothing."""

    async def choose(self, view: View) -> ChosenMove:
        """Return a move that hits nothing, if there is one, or sometimes a fault."""
        random = Random(view.seed)
        move = random.choice(free_moves(view.position) or list(Direction))
        if random.randrange(_FAULT_EVERY) == 0:
            raise FaultError(random.choice(FAULTS), "on purpose")
        if view.you.snake.id != "0":
            return ChosenMove(move)
        line = tuple("".join(random.choice("udlr") for _ in view.snakes) for _ in range(3))
        score = round(random.uniform(-1, 1), 6)
        return ChosenMove(move, random.randint(3, 9), random.randint(1_000, 90_000), score, line)


def random_game(setup: Setup, seats: tuple[int, ...], start: Start, seed: int) -> Game:
    """One game from its start to its end, played in a thread, because the test may have an event loop."""
    players = [_RandomPlayer() for _ in setup.entrants]
    game = play_game(setup, players, start, seats, seed, f"{seed} {seats}")
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, game).result()


def random_match(setup: Setup, blocks: int) -> Match:
    """A match of this number of blocks."""
    return Match(setup, tuple(_block(setup, number) for number in range(blocks)))


def _block(setup: Setup, number: int) -> Block:
    start = boards.set_up_board(setup.rules, setup.snakes, number)
    games = [random_game(setup, seats, start, number) for seats in seatings(setup, number)]
    return Block(number, tuple(games), milliseconds=10.0)
