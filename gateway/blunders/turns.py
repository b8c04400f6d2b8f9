"""Our turns of a game, as the requests that asked for their moves."""

from collections.abc import Iterator, Sequence

import msgspec

from battlesnake_search import board as bodies
from battlesnake_search.board import MOVES, Board, Point, Ruleset, Snake
from gateway.replay.values import Cell, Game, Turn


class PlayedTurn(msgspec.Struct, frozen=True):
    """A turn of a snake: the request, the move that was played, and with what.

    `budget_ms` is 0 and `strategy` empty if the game does not say.
    """

    request: bodies.Turn
    move: str
    budget_ms: float
    strategy: str

    @property
    def number(self) -> int:
        """The number of the turn."""
        return self.request.turn


def our_snakes(game: Game) -> list[int]:
    """Return the numbers of our snakes; of all snakes if none is known to be ours."""
    ours = [number for number, snake in enumerate(game.snakes) if snake.ours]
    return ours or list(range(len(game.snakes)))


def played_turns(game: Game, snake: int) -> list[PlayedTurn]:
    """Return the turns of a snake whose move is known, by decision or by the next board."""
    return list(_played_turns(game, snake))


def _played_turns(game: Game, snake: int) -> Iterator[PlayedTurn]:
    for index, turn in enumerate(game.turns):
        if turn.snakes[snake] is None:
            continue
        decision = turn.decisions[snake]
        after = game.turns[index + 1] if index + 1 < len(game.turns) else None
        move = decision.move if decision and not decision.late else _seen_move(game, turn, after, snake)
        if move:
            budget = decision.budget_ms if decision else 0.0
            yield PlayedTurn(_request(game, turn, snake), move, budget, decision.strategy if decision else "")


def _seen_move(game: Game, turn: Turn, after: Turn | None, snake: int) -> str | None:
    """Return the move that leads from a board to the next one; None if the snake is not on both."""
    if after is None or after.turn != turn.turn + 1:
        return None
    before, later = turn.snakes[snake], after.snakes[snake]
    if before is None or later is None:
        return None
    return next((move for move in MOVES if _step(game, before.body[0], move) == later.body[0]), None)


def _step(game: Game, cell: Cell, move: str) -> Cell:
    x, y = cell[0] + MOVES[move][0], cell[1] + MOVES[move][1]
    return (x % game.width, y % game.height) if game.ruleset.startswith("wrapped") else (x, y)


def _request(game: Game, turn: Turn, snake: int) -> bodies.Turn:
    snakes = {
        number: Snake(about.id, _points(placed.body), about.name, placed.health)
        for number, (about, placed) in enumerate(zip(game.snakes, turn.snakes, strict=True))
        if placed is not None
    }
    board = Board(game.width, game.height, list(snakes.values()), _points(turn.food), _points(turn.hazards))
    about = bodies.Game(game.id, Ruleset(game.ruleset, game.settings), game.map, game.timeout_ms)
    return bodies.Turn(about, board, snakes[snake], turn.turn)


def _points(cells: Sequence[Cell]) -> list[Point]:
    return [Point(x, y) for x, y in cells]
