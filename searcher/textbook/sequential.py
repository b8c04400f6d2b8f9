"""Simultaneous moves, searched as if the players chose one after the other.

Source: "Minimax in Battlesnake" (Corey Alexander), multiplayer minimax: one turn of the game takes as many
levels of the tree as there are players.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic

from searcher.textbook.game import GameResult, GameT, Player, mover
from searcher.textbook.paranoid import paranoid_moves
from searcher.textbook.score import Evaluator, Score


@dataclass(frozen=True)
class SequentialGame(Generic[GameT]):
    """A game of simultaneous moves as one in which `first` chooses first and the opponents follow in order.

    Source: "Minimax in Battlesnake". Makes such games playable for `paranoid`, `alphabeta` and `maxn`.
    Choices are collected until every player has made one, and then played together. Later players know the
    earlier choices. That favours everyone but `first`, whose scores are therefore pessimistic. A turn is a
    turn of the underlying game, so depths count whole turns.
    """

    position: GameT
    """The position of the underlying game at the end of the last whole turn."""
    first: Player
    chosen: tuple[Any, ...] = ()
    """The moves already chosen for this turn, in the order of `order`."""

    @property
    def order(self) -> list[Player]:
        """The order of choice: `first` if still in the game, then the opponents as the game lists them."""
        return sorted(self.position.to_move, key=lambda player: player != self.first)

    @property
    def players(self) -> list[Player]:
        """The players of the underlying game."""
        return list(self.position.players)

    @property
    def to_move(self) -> tuple[Player, ...]:
        """The next player to choose; nobody when the game is over."""
        return tuple(self.order[len(self.chosen) : len(self.chosen) + 1])

    @property
    def turn(self) -> int:
        """The number of whole turns played."""
        return self.position.turn

    def legal_moves(self, player: Player) -> list[Any]:
        """Return the moves of `player` in the position before anybody chose."""
        return list(self.position.legal_moves(player))

    def play(self, moves: Mapping[Player, Any]) -> "SequentialGame[GameT]":
        """Add the choice of the player to move; after the last choice, play the whole turn."""
        chosen = (*self.chosen, moves[mover(self)])
        if len(chosen) < len(self.position.to_move):
            return SequentialGame(self.position, self.first, chosen)
        joint = dict(zip(self.order, chosen, strict=True))
        return SequentialGame(self.position.play(joint), self.first)

    def result(self, player: Player) -> GameResult | None:
        """Return the result of the underlying game."""
        return self.position.result(player)


def sequential_evaluator(evaluate: Evaluator[GameT]) -> Evaluator[SequentialGame[GameT]]:
    """Return the evaluator of a game as an evaluator of its SequentialGame."""
    return lambda game, player: evaluate(game.position, player)


def sequential_paranoid_moves(
    game: GameT, me: Player, depth: int, evaluate: Evaluator[GameT]
) -> dict[Any, Score]:
    """Return the paranoid score of each legal move of `me` when all opponents reply in order, knowing it.

    Source: "Minimax in Battlesnake". The search is plain and unpruned, `depth` whole turns (at least 1) deep.
    Faster searches are checked against it.
    """
    return paranoid_moves(SequentialGame(game, me), depth, sequential_evaluator(evaluate))
