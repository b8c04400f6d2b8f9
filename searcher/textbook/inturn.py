"""Moves made at once, searched as if they were made in turn.

Source: "Minimax in Battlesnake" (Corey Alexander), multiplayer minimax: one turn of the game is as many
levels of the tree as there are players.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic

from searcher.textbook.game import GameResult, GameT, Player, mover
from searcher.textbook.paranoid import paranoid_moves
from searcher.textbook.scores import Evaluator, Score


@dataclass(frozen=True)
class InTurn(Generic[GameT]):
    """A game whose players move at once, as one in which `first` and then the others choose in turn.

    Source: "Minimax in Battlesnake". Lets `paranoid`, `alphabeta` and `maxn` play such games. Choices are
    kept until the last one is made; then all are played together. Who chooses later knows the choices
    before: that flatters everyone but `first`, whose scores it makes pessimistic. A turn is one of
    the game itself, so a depth counts whole turns.
    """

    position: GameT
    """Where the last whole turn ended."""
    first: Player
    chosen: tuple[Any, ...] = ()
    """The moves already chosen for this turn, in the order of `order`."""

    @property
    def order(self) -> list[Player]:
        """Who chooses when: `first` if still in the game, then the others as the game lists them."""
        return sorted(self.position.to_move, key=lambda player: player != self.first)

    @property
    def players(self) -> list[Player]:
        """Those of the game itself."""
        return list(self.position.players)

    @property
    def to_move(self) -> tuple[Player, ...]:
        """The next one to choose; nobody when the game is over."""
        return tuple(self.order[len(self.chosen) : len(self.chosen) + 1])

    @property
    def turn(self) -> int:
        """Whole turns played."""
        return self.position.turn

    def legal_moves(self, player: Player) -> list[Any]:
        """Those of the position before anybody chose."""
        return list(self.position.legal_moves(player))

    def play(self, moves: Mapping[Player, Any]) -> "InTurn[GameT]":
        """Note the choice of the player to move; after the last one, play them all."""
        chosen = (*self.chosen, moves[mover(self)])
        if len(chosen) < len(self.position.to_move):
            return InTurn(self.position, self.first, chosen)
        joint = dict(zip(self.order, chosen, strict=True))
        return InTurn(self.position.play(joint), self.first)

    def result(self, player: Player) -> GameResult | None:
        """That of the game itself."""
        return self.position.result(player)


def whole_turns(evaluate: Evaluator[GameT]) -> Evaluator[InTurn[GameT]]:
    """An evaluator of a game as one of that game in turn."""
    return lambda game, player: evaluate(game.position, player)


def paranoid_turn_moves(game: GameT, me: Player, depth: int, evaluate: Evaluator[GameT]) -> dict[Any, Score]:
    """Each legal move of `me` with its paranoid score when all others choose in order, knowing it.

    Source: "Minimax in Battlesnake". Plain and unpruned, `depth` whole turns (at least 1) looked ahead: what
    faster searches are checked against.
    """
    return paranoid_moves(InTurn(game, me), depth, whole_turns(evaluate))
