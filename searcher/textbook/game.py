"""A game for a search (a position with its players, moves and results), and agents that play it."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from random import Random
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

Player = int
"""A seat at the game, counted from 0."""

Move = TypeVar("Move", bound=Hashable)

AnyMove: TypeAlias = Any
"""A move of a game, in a function that takes games with moves of any type."""

AnyGame: TypeAlias = "Game[Any]"
"""A game with moves of any type."""

GameT = TypeVar("GameT", bound="Game[Any]")


class GameResult(IntEnum):
    """The result of a game for one player, worst first.

    Source: "Deep Learning and the Game of Go", listing 1.

    >>> GameResult.LOSS < GameResult.DRAW < GameResult.WIN
    True
    """

    LOSS = -1
    DRAW = 0
    WIN = 1

    def reversed(self) -> "GameResult":
        """Return the same result from the opponent's point of view.

        >>> GameResult.WIN.reversed().name
        'LOSS'
        """
        return GameResult(-self)


class Game(Protocol[Move]):
    """One position of a game. It is immutable: playing a move returns another position.

    A position is hashable, and equal to every other position from which the game continues in the same way.
    """

    @property
    def players(self) -> Sequence[Player]:
        """All players, including players who are already out of the game."""

    @property
    def to_move(self) -> Sequence[Player]:
        """The players who choose a move next: one, or several simultaneously. Empty when the game is over."""

    @property
    def turn(self) -> int:
        """The number of turns played. A turn is one move, or all the moves that are made at the same time."""

    def legal_moves(self, player: Player) -> Sequence[Move]:
        """Return the moves of `player`, who is to move: at least one, always in the same order."""

    def play(self, moves: Mapping[Player, Move]) -> Self:
        """Return the position after a move by each of `to_move`. Raises ValueError if a move is illegal."""

    def result(self, player: Player) -> GameResult | None:
        """Return the result for `player`, or None while the result is open. The others may still play on."""


def is_over(game: AnyGame) -> bool:
    """Return whether no player is to move."""
    return not game.to_move


def winner(game: AnyGame) -> Player | None:
    """Return the winner, or None while the game goes on and after a game without a winner."""
    return next((player for player in game.players if game.result(player) is GameResult.WIN), None)


def opponent(game: AnyGame, player: Player) -> Player:
    """Return the opponent of `player` in a game of two.

    Raises ValueError if the game does not have exactly two players.
    """
    opponents = [other for other in game.players if other != player]
    if len(opponents) != 1:
        raise ValueError(f"the game must have two players, but has {len(game.players)}")
    return opponents[0]


def mover(game: AnyGame) -> Player:
    """Return the only player to move.

    Raises ValueError if no player or several players are to move.
    """
    if len(game.to_move) != 1:
        raise ValueError(
            f"exactly one player must be to move, but the players to move are {list(game.to_move)}"
        )
    return game.to_move[0]


def play_in_turn(game: GameT, move: AnyMove) -> GameT:
    """Return the position after the only player to move has played `move`."""
    return game.play({mover(game): move})


ScoreT = TypeVar("ScoreT", bound=Any)


def best_moves(scores: Mapping[Move, ScoreT]) -> list[Move]:
    """Return all moves that share the highest score, in their given order.

    >>> best_moves({"left": 0, "up": 1, "right": 1})
    ['up', 'right']
    """
    best = max(scores.values())
    return [move for move, score in scores.items() if score == best]


@dataclass(frozen=True)
class MinimaxAgent(Generic[GameT]):
    """An agent that plays one of the best moves, each with the same probability.

    Source: "Deep Learning and the Game of Go", listing 2. The book sorts moves into winning, drawing and
    losing moves. This agent takes any ordered score, so that it can play by the search of every chapter.
    """

    score_moves: Callable[[GameT], Mapping[AnyMove, Any]]
    """The search: it scores each legal move. A higher score is better for the player to move."""
    random: Random

    def select_move(self, game: GameT) -> AnyMove:
        """Return a best move of a position that is not over."""
        return self.random.choice(best_moves(self.score_moves(game)))
