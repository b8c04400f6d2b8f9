"""A game written out as its tree: for searches whose answer can be read off the paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from searcher.textbook.game import GameResult, Player, mover


@dataclass(frozen=True)
class Tree:
    """Players take turns to choose a branch. A leaf holds the estimate of each player."""

    node: tuple[Any, ...]
    seats: int
    turn: int = 0

    @property
    def players(self) -> range:
        """All seats."""
        return range(self.seats)

    @property
    def to_move(self) -> tuple[Player, ...]:
        """One after the other, down to a leaf."""
        return (self.turn % self.seats,) if isinstance(self.node[0], tuple) else ()

    def legal_moves(self, player: Player) -> range:
        """The branches from left to right."""
        return range(len(self.node))

    def play(self, moves: Mapping[Player, int]) -> "Tree":
        """Go down a branch."""
        return Tree(self.node[moves[mover(self)]], self.seats, self.turn + 1)

    def result(self, player: Player) -> GameResult | None:
        """No sure ends, estimates only."""
        return None


def leaf_estimate(game: Tree, player: Player) -> float:
    """The number written at a leaf for `player`."""
    return float(game.node[player])


THREE = Tree(
    (
        (((0.5, 0.0, 0.4), (-0.4, 0.2, 0.3)), ((0.9, -0.9, 0.1), (0.8, -0.8, 0.2))),
        (((0.1, 0.1, 0.0), (0.2, 0.3, 0.1)), ((0.0, -0.1, 0.6), (0.3, 0.2, 0.5))),
    ),
    seats=3,
)
"""Three players, one move each. The left branch is good for the first if the others think of themselves."""
