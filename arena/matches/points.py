"""The points of a block, and the standing of a match: sums over its blocks.

Points are from 0 to 1, with any number of snakes.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import inf

from arena.matches.schedule import games_in_block
from arena.records import Block, Fault, Game, Setup
from arena.statistics.elo import BlockTally
from arena.statistics.sprt import SprtDecision


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


def tally_of(setup: Setup, values: Sequence[float]) -> BlockTally:
    """Return the tally of an entrant's points in each block."""
    if is_duel(setup):
        return BlockTally.of_pairs(values)
    return BlockTally.of_blocks(values, games_in_block(setup))


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


@dataclass(slots=True)
class Standing:
    """Sums over blocks.

    A block gives no points if one of its games is void, or ended at a fault in a strict match. The block's
    decisions and faults count in every case.
    """

    setup: Setup
    blocks: int = 0
    void: Counter[str] = field(default_factory=Counter)
    """The number of void games by reason."""
    points: list[tuple[float, ...]] = field(default_factory=list)
    """For each block that counts, the points of each contender, from 0 to 1."""
    results: Counter[str] = field(default_factory=Counter)
    """The number of games by "win", "draw" and "loss" of the first contender, if there are two contenders."""
    games_points: list[tuple[float, ...]] = field(default_factory=list)
    """For each game that counts, the points of each contender. Empty in solo: its games have no points."""
    faults: Counter[tuple[int, Fault]] = field(default_factory=Counter)
    """The number of faults by entrant and kind."""
    decisions: Counter[int] = field(default_factory=Counter)
    """The number of requested moves, by entrant."""
    thinking: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    """The milliseconds of all decisions, by entrant."""

    def add(self, block: Block) -> None:
        """Add a block."""
        self.blocks += 1
        for game in block.games:
            self._count_decisions(game)
            if game.void:
                self.void[game.void] += 1
        if block.counts:
            self.points.append(points(self.setup, block))
            if self.setup.snakes > 1:
                for game in block.games:
                    self._count_result(game)

    @property
    def values(self) -> list[float]:
        """The first entrant's points, block by block."""
        return [shares[0] for shares in self.points]

    @property
    def tally(self) -> BlockTally:
        """The tally of the first entrant's points."""
        return tally_of(self.setup, self.values)

    @property
    def sprt_decision(self) -> SprtDecision:
        """The decision of the match's test, or undecided without a test."""
        test = self.setup.test
        return "undecided" if test is None else test.decision(self.tally)

    @property
    def games(self) -> int:
        """The number of games that count."""
        return len(self.points) * games_in_block(self.setup)

    def _count_decisions(self, game: Game) -> None:
        for turn in game.turns:
            for seat, decision in zip(game.seats, turn.decisions, strict=True):
                if decision is not None:
                    self.decisions[seat] += 1
                    self.thinking[seat] += decision.milliseconds
                    if decision.fault is not None:
                        self.faults[seat, decision.fault] += 1

    def _count_result(self, game: Game) -> None:
        shares = game_points(self.setup, game)
        self.games_points.append(shares)
        if len(shares) == 2:
            share = shares[0]
            self.results["win" if share > 0.5 else "draw" if share == 0.5 else "loss"] += 1
