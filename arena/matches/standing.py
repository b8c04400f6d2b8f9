"""The standing of a match: sums over its blocks, with deaths, depths and false despair besides points."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from statistics import fmean, median

from arena.matches.points import is_duel, points, shares_outlived
from arena.matches.schedule import games_in_block
from arena.records import Block, Decision, Fault, Game, Setup
from arena.statistics.elo import BlockTally
from arena.statistics.ranking import mean_points
from arena.statistics.sprt import SprtDecision
from battlesnake_search.common.estimation import Estimate

LIVES_ON = 25
"""A claim of a loss is false if the snake lives for more than this number of turns after the claim."""

PROVEN_LOSS = -1.0
"""The score of a proven loss. Every other score is higher."""


@dataclass(slots=True)
class Conduct:
    """Sums over the games of an entrant."""

    games: int = 0
    won: list[float] = field(default_factory=list)
    """For each block, the share of games in which the entrant's snake was the last one alive."""
    snakes: int = 0
    deaths: Counter[str] = field(default_factory=Counter)
    """The number of the entrant's snakes that died, by the official engine's name of the cause."""
    moves: int = 0
    scored: int = 0
    """The number of moves with a reported score."""
    false_claims: int = 0
    """The number of moves that claim a proven loss, but the snake lived for more than LIVES_ON turns."""
    depths: list[int] = field(default_factory=list)
    """The reported depth of each move that has one."""
    nodes: list[int] = field(default_factory=list)
    """The reported number of nodes of each move that has one."""

    def add_block(self, entrant: int, games: Sequence[Game]) -> None:
        """Add the games of a block that the entrant played."""
        won = [_is_last_alive(entrant, game) for game in games]
        self.games += len(games)
        self.won.append(fmean(won))
        for game in games:
            for snake, seat in enumerate(game.seats):
                if seat == entrant:
                    self._add_snake(game, snake)

    @property
    def share_won(self) -> Estimate:
        """The share of games in which the entrant's snake was the last one alive."""
        return mean_points(self.won)

    @property
    def false_despair(self) -> float | None:
        """The share of false claims among all moves, or None if no score was reported."""
        return self.false_claims / self.moves if self.scored else None

    @property
    def median_depth(self) -> float | None:
        """The median depth of a move, or None if no depth was reported."""
        return median(self.depths) if self.depths else None

    @property
    def median_nodes(self) -> float | None:
        """The median number of nodes of a move, or None if no nodes were reported."""
        return median(self.nodes) if self.nodes else None

    def _add_snake(self, game: Game, snake: int) -> None:
        self.snakes += 1
        if (death := game.deaths[snake]) is not None:
            self.deaths[death.cause] += 1
        end = _end_of_life(game, snake)
        for turn, each in enumerate(game.turns):
            if (decision := each.decisions[snake]) is not None:
                self._add_move(decision, end - turn)

    def _add_move(self, decision: Decision, left: float) -> None:
        """Add a move, after which the snake lived for `left` turns."""
        self.moves += 1
        self.scored += decision.score is not None
        self.false_claims += decision.score == PROVEN_LOSS and left > LIVES_ON
        if decision.depth:
            self.depths.append(decision.depth)
        if decision.nodes:
            self.nodes.append(decision.nodes)


def _is_last_alive(entrant: int, game: Game) -> bool:
    alive = [seat for seat, death in zip(game.seats, game.deaths, strict=True) if death is None]
    return alive == [entrant]


def _end_of_life(game: Game, snake: int) -> float:
    """Return the turn of a snake's death. It is infinite for the last one alive: its claims are false."""
    death = game.deaths[snake]
    if death is not None:
        return death.turn
    return inf if game.ending == "one left" else len(game.turns)


@dataclass(slots=True)
class Against:
    """The first entrant's results against an opponent."""

    games: int = 0
    by_block: list[float] = field(default_factory=list)
    """By block with the opponent, the share of its snakes that the first entrant's snakes outlived."""

    @property
    def points(self) -> Estimate:
        """The mean points of a block, or 1/2 before the first block."""
        return mean_points(self.by_block)


class Standing:
    """Sums over blocks.

    A block gives no points if one of its games is void, or ended at a fault in a strict match. The block's
    decisions and faults count in every case.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.blocks = 0
        self.void = Counter[str]()
        """The number of void games by reason."""
        self.points: list[tuple[float, ...]] = []
        """For each block that counts, the points of each contender, from 0 to 1."""
        self.results = Counter[str]()
        """The number of games by "win", "draw" and "loss" of the first contender, if there are two."""
        self.faults = Counter[tuple[int, Fault]]()
        """The number of faults by entrant and kind."""
        self.decisions = Counter[int]()
        """The number of requested moves, by entrant."""
        self.thinking: defaultdict[int, float] = defaultdict(float)
        """The milliseconds of all decisions, by entrant."""
        self.conducts = [Conduct() for _ in setup.entrants]
        """The conduct of each entrant in the blocks that count."""
        opponents = range(1, len(setup.entrants)) if setup.contenders == 1 else ()
        self.against = {opponent: Against() for opponent in opponents}
        """In a gauntlet, the first entrant's results against each opponent. In other matches it is empty."""

    def add(self, block: Block) -> None:
        """Add a block."""
        self.blocks += 1
        for game in block.games:
            self._count_decisions(game)
            if game.void:
                self.void[game.void] += 1
        if block.counts:
            self.points.append(points(self.setup, block))
            for game in block.games if self.setup.snakes > 1 else ():
                self._count_result(game)
            self._count_conduct(block)

    @property
    def values(self) -> list[float]:
        """The first entrant's points, block by block."""
        return [shares[0] for shares in self.points]

    @property
    def tally(self) -> BlockTally:
        """The tally of the first entrant's points in each block."""
        if is_duel(self.setup):
            return BlockTally.of_pairs(self.values)
        return BlockTally.of_blocks(self.values, games_in_block(self.setup))

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
        if self.setup.contenders == 2:
            share, _ = shares_outlived(game, (0, 1))
            self.results["win" if share > 0.5 else "draw" if share == 0.5 else "loss"] += 1

    def _count_conduct(self, block: Block) -> None:
        for entrant, conduct in enumerate(self.conducts):
            if games := [game for game in block.games if entrant in game.seats]:
                conduct.add_block(entrant, games)
        for opponent, against in self.against.items():
            if games := [game for game in block.games if opponent in game.seats]:
                against.games += len(games)
                against.by_block.append(fmean(shares_outlived(game, (0, opponent))[0] for game in games))
