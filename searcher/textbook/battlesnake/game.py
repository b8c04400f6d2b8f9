"""Battlesnake as a Game with simultaneous moves."""

from collections.abc import Mapping
from dataclasses import dataclass

from searcher.textbook.battlesnake.board import Board, Direction
from searcher.textbook.battlesnake.moves import candidate_moves
from searcher.textbook.battlesnake.rules import play_turn
from searcher.textbook.game import GameResult, Player


@dataclass(frozen=True, slots=True)
class Battlesnake:
    """A position of Battlesnake. Player p controls board.snakes[p]."""

    board: Board

    @property
    def players(self) -> range:
        """All snakes, including dead ones."""
        return range(len(self.board.snakes))

    @property
    def to_move(self) -> list[Player]:
        """All living snakes, which move at the same time; nobody when the game is over."""
        return [] if self.board.over else self.board.living

    @property
    def turn(self) -> int:
        """The number of the turn, as the engine counts it."""
        return self.board.turn

    def legal_moves(self, player: Player) -> list[Direction]:
        """Return the moves worth trying (`candidate_moves`); the rules allow any direction."""
        return candidate_moves(self.board, player)

    def play(self, moves: Mapping[Player, str]) -> "Battlesnake":
        """Play one turn by the official rules. Raises ValueError if a living snake has no move."""
        return Battlesnake(play_turn(self.board, moves))

    def result(self, player: Player) -> GameResult | None:
        """Return a win for the last survivor, a draw for the last snakes if they died together, else a loss.

        The result is None while the snake lives and the game goes on. A snake that plays alone can only lose.
        """
        snake = self.board.snakes[player]
        if snake.elimination is None:
            return GameResult.WIN if self.board.over else None
        last = not self.board.living and snake.elimination.turn == self.board.turn
        return GameResult.DRAW if last and not self.board.solo else GameResult.LOSS
