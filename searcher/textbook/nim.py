"""Nim: take any number of counters from one heap. The player who takes the last counter wins.

The theory of Nim is complete (Bouton, 1901), so a search can be checked against a formula. The player to move
wins unless the exclusive or of the heap sizes is zero.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from searcher.textbook.game import GameResult, Player, mover

Take = tuple[int, int]
"""A move: the number of a heap, and the number of counters to take from it."""


def takes(heaps: Sequence[int]) -> list[Take]:
    """Return every move, heap by heap, small numbers first."""
    return [(heap, count) for heap, size in enumerate(heaps) for count in range(1, size + 1)]


@dataclass(frozen=True, slots=True)
class Nim:
    """A position: the sizes of the heaps and the number of moves made."""

    heaps: tuple[int, ...]
    turn: int = 0

    @property
    def players(self) -> tuple[Player, Player]:
        """The player who began and the opponent."""
        return 0, 1

    @property
    def to_move(self) -> tuple[Player, ...]:
        """The player whose turn it is. Empty when no counter is left."""
        return (self.turn % 2,) if any(self.heaps) else ()

    def legal_moves(self, player: Player) -> list[Take]:
        """Return every move, heap by heap, small numbers first."""
        return takes(self.heaps)

    def play(self, moves: Mapping[Player, Take]) -> "Nim":
        """Take counters. Raises ValueError if the heap has too few or the game is over."""
        take = moves[mover(self)]
        if take not in takes(self.heaps):
            raise ValueError(f"{take} is not a legal take from heaps {self.heaps}")
        heaps = list(self.heaps)
        heaps[take[0]] -= take[1]
        return Nim(tuple(heaps), self.turn + 1)

    def result(self, player: Player) -> GameResult | None:
        """Return a win for the player who took the last counter, and None while counters are left."""
        if any(self.heaps):
            return None
        return GameResult.LOSS if self.turn % 2 == player else GameResult.WIN


class NimBoard:
    """Mutable heaps for a search that makes and unmakes moves (see `minimax.UndoableBoard`)."""

    def __init__(self, heaps: Sequence[int]) -> None:
        self.heaps = list(heaps)
        self.first_to_move = True

    def legal_moves(self) -> list[Take]:
        """Return every move, heap by heap, small numbers first."""
        return takes(self.heaps)

    def make(self, move: Take) -> None:
        """Take counters from a heap that has enough of them."""
        self.heaps[move[0]] -= move[1]
        self.first_to_move = not self.first_to_move

    def unmake(self, move: Take) -> None:
        """Put the counters back."""
        self.heaps[move[0]] += move[1]
        self.first_to_move = not self.first_to_move

    def result(self) -> GameResult | None:
        """Return the result for the first player, or None while counters are left."""
        if any(self.heaps):
            return None
        return GameResult.LOSS if self.first_to_move else GameResult.WIN
