"""A game that is given as its tree, so that the result of a search can be worked out on paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from searcher.textbook.game import GameResult, Player, mover


@dataclass(frozen=True)
class Tree:
    """A position in a tree. Players choose branches in turn; a leaf holds an estimate for each player."""

    node: tuple[Any, ...]
    seats: int
    turn: int = 0

    @property
    def players(self) -> range:
        """All seats."""
        return range(self.seats)

    @property
    def to_move(self) -> tuple[Player, ...]:
        """The players in turn, down to a leaf."""
        return (self.turn % self.seats,) if isinstance(self.node[0], tuple) else ()

    def legal_moves(self, player: Player) -> range:
        """Return the branches from left to right."""
        return range(len(self.node))

    def play(self, moves: Mapping[Player, int]) -> "Tree":
        """Descend into a branch."""
        return Tree(self.node[moves[mover(self)]], self.seats, self.turn + 1)

    def result(self, player: Player) -> GameResult | None:
        """Return None: leaves have estimates, not results."""
        return None


def leaf_estimate(game: Tree, player: Player) -> float:
    """Return the estimate of a leaf for `player`."""
    return float(game.node[player])


THREE = Tree(
    (
        (((0.5, 0.0, 0.4), (-0.4, 0.2, 0.3)), ((0.9, -0.9, 0.1), (0.8, -0.8, 0.2))),
        (((0.1, 0.1, 0.0), (0.2, 0.3, 0.1)), ((0.0, -0.1, 0.6), (0.3, 0.2, 0.5))),
    ),
    seats=3,
)
"""Three players, one move each. The left branch is good for the first player if the others are selfish."""
