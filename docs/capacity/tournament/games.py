"""The games of a simulation: when each begins and ends, whatever the cluster does."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

MEAN_GAME, GAME_DEVIATION, SHORTEST_GAME = 150.0, 40.0, 20.0
"""Seconds: mean and standard deviation of the length of a game, and the shortest game."""

TOURNAMENT_START, BREAK = 60.0, 30.0
"""Seconds: the start of the first round, and the break between two rounds."""

ROUNDS = (120, 60, 30, 15)
"""Games in each round of the tournament. A round starts BREAK after the end of the one before."""

ROUND_SPREAD = 5.0
"""Seconds within which the games of a round start."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game, by the times of its start and its end."""

    at: float
    end: float


def tournament(rounds: Sequence[int] = ROUNDS, others: int = 4, seed: int = 1) -> list[Game]:
    """Return the games of a tournament, and `others` that never end."""
    random, start = Random(seed), TOURNAMENT_START
    games = [Game(0.0, math.inf) for _ in range(others)]
    for number in rounds:
        played = [_game(random, start + random.uniform(0, ROUND_SPREAD)) for _ in range(number)]
        start = max(game.end for game in played) + BREAK
        games += played
    return games


def one_after_another(mean_gap: float, until: float, seed: int = 1) -> Iterator[Game]:
    """Yield games that begin at random, `mean_gap` seconds after each other on average."""
    random = Random(seed)
    at = random.expovariate(1 / mean_gap)
    while at < until:
        yield _game(random, at)
        at += random.expovariate(1 / mean_gap)


def first_round_ends(games: Sequence[Game], rounds: Sequence[int] = ROUNDS) -> float:
    """Return the time at which nine tenths of the first round's games have ended."""
    first = sorted(game.end for game in games if game.at < TOURNAMENT_START + ROUND_SPREAD and game.at > 0)
    return first[math.ceil(0.9 * rounds[0]) - 1]


def _game(random: Random, at: float) -> Game:
    return Game(at, at + max(random.gauss(MEAN_GAME, GAME_DEVIATION), SHORTEST_GAME))
