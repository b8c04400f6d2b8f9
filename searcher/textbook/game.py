"""What a game is to a search: a position that knows its players, their moves and its results."""

from collections.abc import Hashable, Mapping, Sequence
from enum import IntEnum
from typing import Any, Protocol, Self, TypeVar

Player = int
"""A seat at the game, counted from 0."""

Move = TypeVar("Move", bound=Hashable)

GameT = TypeVar("GameT", bound="Game[Any]")


class GameResult(IntEnum):
    """How a game ended for one player, worst first.

    Source: "Deep Learning and the Game of Go", listing 1.

    >>> GameResult.LOSS < GameResult.DRAW < GameResult.WIN
    True
    """

    LOSS = -1
    DRAW = 0
    WIN = 1

    def reversed(self) -> "GameResult":
        """The same end seen by the opponent.

        >>> GameResult.WIN.reversed().name
        'LOSS'
        """
        return GameResult(-self)


class Game(Protocol[Move]):
    """One position of a game. It never changes: playing a move gives another position.

    A position is hashable, and equal to any other position that plays on in the same way.
    """

    @property
    def players(self) -> Sequence[Player]:
        """Everybody who takes part, also those who are out already."""

    @property
    def to_move(self) -> Sequence[Player]:
        """Who has to choose a move now: one player, or several at once; nobody when the game is over."""

    @property
    def turn(self) -> int:
        """How many turns have been played. Each move is a turn, or all moves made at once are one."""

    def legal_moves(self, player: Player) -> Sequence[Move]:
        """What `player`, who is to move, may play: at least one move, always in the same order."""

    def play(self, moves: Mapping[Player, Move]) -> Self:
        """The position after everybody of `to_move` has played; ValueError for a move not allowed."""

    def result(self, player: Player) -> GameResult | None:
        """How the game ended for `player`; None while that is open. Others may go on without them."""


def is_over(game: Game[Any]) -> bool:
    """Whether nobody has a move left to make."""
    return not game.to_move


def winner(game: Game[Any]) -> Player | None:
    """The player who has won; None while the game goes on and when nobody has won."""
    return next((player for player in game.players if game.result(player) is GameResult.WIN), None)


def opponent(game: Game[Any], player: Player) -> Player:
    """The other one of two players.

    Raises:
        ValueError: the game is not one of two players.
    """
    others = [other for other in game.players if other != player]
    if len(others) != 1:
        raise ValueError(f"a game of two players is needed, this one has {len(game.players)}")
    return others[0]


def mover(game: Game[Any]) -> Player:
    """The one player to move.

    Raises:
        ValueError: nobody, or several at once, are to move.
    """
    if len(game.to_move) != 1:
        raise ValueError(f"exactly one player has to be on move, here are {list(game.to_move)}")
    return game.to_move[0]


def play_in_turn(game: GameT, move: Any) -> GameT:
    """The position after the one player to move has played `move`."""
    return game.play({mover(game): move})
