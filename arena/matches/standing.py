"""Where a match stands: sums over the blocks judged so far, from which all statistics are made."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from arena.matches.scoring import game_points, points, tally_of
from arena.records.model import Block, Fault, Game, Setup
from arena.statistics.tally import Tally


@dataclass(slots=True)
class Standing:
    """Sums over judged blocks.

    A block gives no points if a game of it is void, or broken off in a strict match; its faults count.
    """

    setup: Setup
    blocks: int = 0
    void: Counter[str] = field(default_factory=Counter)
    """Void games by reason."""
    points: list[tuple[float, ...]] = field(default_factory=list)
    """For each block that counts, the points of each entrant: from 0 to 1."""
    results: Counter[str] = field(default_factory=Counter)
    """"win", "draw" and "loss": single games of the first entrant, where there are two."""
    games_points: list[tuple[float, ...]] = field(default_factory=list)
    """As `points`, game by game; empty in solo, where only a block compares."""
    faults: Counter[tuple[int, Fault]] = field(default_factory=Counter)
    """By entrant and name."""
    decisions: Counter[int] = field(default_factory=Counter)
    """Moves asked for, by entrant."""
    thinking: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    """Milliseconds of all decisions, by entrant."""
    milliseconds: float = 0.0
    """Of all blocks, as their workers saw it."""

    def add(self, block: Block) -> None:
        """Takes in a block."""
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
        """They, as statistics take them."""
        return tally_of(self.setup, self.values)

    @property
    def games(self) -> int:
        """Games that count."""
        return len(self.points) * len(self.setup.entrants)

    @property
    def share_thinking(self) -> float:
        """The share of the workers' time that went into decisions.

        It may be above 1: players elsewhere decide at the same time.
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
