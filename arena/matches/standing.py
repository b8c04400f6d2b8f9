"""The standing of a match: sums over the blocks counted so far, the input of all statistics."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from arena.matches.scoring import game_points, points, tally_of
from arena.matches.seating import games_in_block
from arena.records.model import Block, Fault, Game, Setup
from arena.statistics.tally import Tally


@dataclass(slots=True)
class Standing:
    """Sums over blocks.

    A block gives no points if one of its games is void or ended at a fault in a strict match; its decisions
    and faults count.
    """

    setup: Setup
    blocks: int = 0
    void: Counter[str] = field(default_factory=Counter)
    """The number of void games by reason."""
    points: list[tuple[float, ...]] = field(default_factory=list)
    """For each block that counts, the points of each contender, from 0 to 1."""
    results: Counter[str] = field(default_factory=Counter)
    """"win", "draw" and "loss": single games of the first contender, where there are two."""
    games_points: list[tuple[float, ...]] = field(default_factory=list)
    """For each game that counts, the points of each contender; empty in solo, where games have no points."""
    faults: Counter[tuple[int, Fault]] = field(default_factory=Counter)
    """The number of faults by entrant and kind."""
    decisions: Counter[int] = field(default_factory=Counter)
    """The number of moves asked for, by entrant."""
    thinking: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    """The milliseconds of all decisions, by entrant."""
    milliseconds: float = 0.0
    """The milliseconds of all blocks, as measured by their workers."""

    def add(self, block: Block) -> None:
        """Add a block."""
        self.blocks += 1
        self.milliseconds += block.milliseconds
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
    def tally(self) -> Tally:
        """The tally of the first entrant's points."""
        return tally_of(self.setup, self.values)

    @property
    def games(self) -> int:
        """The number of games that count."""
        return len(self.points) * games_in_block(self.setup)

    @property
    def share_thinking(self) -> float:
        """The share of the workers' time that was spent on decisions.

        The share may be above 1, since players in other processes decide at the same time.
        """
        return sum(self.thinking.values()) / self.milliseconds if self.milliseconds else 0.0

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
