"""The figures of a match beyond points: the conduct of its entrants, and results by opponent."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Self

from arena.gauntlet.conduct import Conduct
from arena.gauntlet.lengths import lengths_at_milestones
from arena.matches.scoring import points_against
from arena.records.model import Block, Game, Setup
from arena.statistics.multi_entrant import mean_points
from battlesnake_search.common.estimation import Estimate


@dataclass(slots=True)
class Against:
    """The first entrant's results against an opponent."""

    games: int = 0
    by_block: list[float] = field(default_factory=list)
    """For each block with the opponent, the share of its snakes that the first entrant outlived."""

    @property
    def points(self) -> Estimate:
        """The mean points of a block; 1/2 before the first block."""
        return mean_points(self.by_block)


@dataclass(slots=True)
class Figures:
    """Sums over the blocks that count."""

    setup: Setup
    conducts: list[Conduct]
    """The conduct of each entrant."""
    against: dict[int, Against]
    """In a gauntlet, the results of the first entrant against each opponent; otherwise empty."""

    @classmethod
    def of(cls, setup: Setup, blocks: Iterable[Block]) -> Self:
        """Return the figures of these blocks. Raises ValueError if a record contradicts the rules."""
        opponents = range(1, len(setup.entrants)) if setup.contenders == 1 else ()
        figures = cls(setup, [Conduct() for _ in setup.entrants], {index: Against() for index in opponents})
        for block in blocks:
            if block.counts:
                figures._add(block)
        return figures

    def _add(self, block: Block) -> None:
        for entrant, conduct in enumerate(self.conducts):
            if games := [game for game in block.games if entrant in game.seats]:
                conduct.add_block(entrant, games)
        for opponent, against in self.against.items():
            if games := [game for game in block.games if opponent in game.seats]:
                against.games += len(games)
                against.by_block.append(fmean(points_against(opponent, game) for game in games))
        for game in block.games:
            self._add_lengths(game)

    def _add_lengths(self, game: Game) -> None:
        for turn, lengths in lengths_at_milestones(self.setup.rules, game):
            for entrant in set(game.seats):
                self.conducts[entrant].add_lengths(entrant, game, turn, lengths)
