"""Minimax, step by step: from a move that wins immediately to the best result of any position.

Everything here is for two players who alternate, and searches to the end of the game. A position that several
lines reach is searched again in each of them. Sources:

- "Deep Learning and the Game of Go" (Pumperla and Ferguson), the part on minimaxing.
- "Backtracking minimax" (Nicholas Boyce, Recurse Center): a search in post-order on one board, with make,
  unmake and an explicit stack. The article keeps the untried moves of all levels of the search in one queue.
  The levels rotate it, and a set in its place would make the search skip moves or try them twice. Here each
  stack frame holds its own moves, so no container's order matters.
- "MiniMax Algorithm" (Theory of Programming): scores that decay with depth, so that a search prefers the
  fastest win and the slowest loss.
"""

from collections.abc import Generator, Sequence
from typing import Generic, Protocol

from searcher.textbook.game import AnyGame, Game, GameResult, Move, Player, mover, opponent, play_in_turn


def find_winning_move(game: Game[Move]) -> Move | None:
    """Return a move that wins immediately, or None without such a move.

    Source: "Deep Learning and the Game of Go". The first step: examine each position one move ahead.
    """
    player = mover(game)
    for move in game.legal_moves(player):
        if play_in_turn(game, move).result(player) is GameResult.WIN:
            return move
    return None


def eliminate_losing_moves(game: Game[Move]) -> list[Move]:
    """Return the moves after which the opponent has no winning move.

    Source: "Deep Learning and the Game of Go". Adds the opponent's search for a winning move.
    """
    safe_moves = []
    for move in game.legal_moves(mover(game)):
        after = play_in_turn(game, move)
        if not after.to_move or find_winning_move(after) is None:
            safe_moves.append(move)
    return safe_moves


def find_two_step_win(game: Game[Move]) -> Move | None:
    """Return a move after which our next move wins against all replies, or None without such a move.

    Source: "Deep Learning and the Game of Go". Adds our next move: each move of the opponent has to leave us
    a winning move. A move that ends the game immediately does not count.
    """
    for move in game.legal_moves(mover(game)):
        after = play_in_turn(game, move)
        if after.to_move and not eliminate_losing_moves(after):
            return move
    return None


def best_result(game: Game[Move], player: Player) -> GameResult:
    """Return the best result that `player`, who is to move unless the game is over, can force.

    Source: "Deep Learning and the Game of Go", listings 3 and 4. Replaces the steps by recursion: the best
    result is the best of the opponent's reversed best results, down to the end of the game.
    """
    result = game.result(player)
    if result is not None:
        return result
    other = opponent(game, player)
    return max(best_result(play_in_turn(game, move), other).reversed() for move in game.legal_moves(player))


def best_result_moves(game: Game[Move]) -> dict[Move, GameResult]:
    """Return the best result of each legal move for the player to move.

    Source: "Deep Learning and the Game of Go", listing 2, the part before the choice.
    """
    player = mover(game)
    other = opponent(game, player)
    return {
        move: best_result(play_in_turn(game, move), other).reversed() for move in game.legal_moves(player)
    }


class UndoableBoard(Protocol[Move]):
    """A mutable board of a game for two players who alternate: moves are made and unmade in place."""

    @property
    def first_to_move(self) -> bool:
        """Whether the first player, who maximizes the value, is to move."""

    def legal_moves(self) -> Sequence[Move]:
        """Return the moves of a game that is not over, in a list that later moves don't change."""

    def make(self, move: Move) -> None:
        """Play a legal move."""

    def unmake(self, move: Move) -> None:
        """Take back `move`, the last move made."""

    def result(self) -> GameResult | None:
        """Return the result for the first player, or None while the game goes on."""


class _Frame(Generic[Move]):
    """A stack frame: a position on the current path, its untried moves and its value so far."""

    def __init__(self, board: UndoableBoard[Move]) -> None:
        result = board.result()
        worst = GameResult.LOSS if board.first_to_move else GameResult.WIN
        self.value = worst if result is None else result
        self.choose = max if board.first_to_move else min
        self.untried = iter(board.legal_moves() if result is None else ())


def postorder_values(board: UndoableBoard[Move]) -> Generator[GameResult, None, None]:
    """Yield the value of every position below `board`, children before their parent, `board` itself last.

    Source: "Backtracking minimax". Adds to `best_result` that the board is never copied. While a value is
    yielded, the board shows its position. At the end of the iteration, even an early one, every move is
    unmade.
    """
    stack, made = [_Frame(board)], list[Move]()
    try:
        while stack:
            move = next(stack[-1].untried, None)
            if move is not None:
                board.make(move)
                made.append(move)
                stack.append(_Frame(board))
                continue
            yield stack[-1].value
            value = stack.pop().value
            if stack:
                board.unmake(made.pop())
                stack[-1].value = stack[-1].choose(stack[-1].value, value)
    finally:
        while made:
            board.unmake(made.pop())


WIN_SCORE = 10
"""The score of a win at the root. It decays by one a move, so a game must have fewer moves than this."""


def decayed_score(result: GameResult, depth: int) -> int:
    """Return 10 - depth for a win, depth - 10 for a loss and 0 for a draw, `depth` moves from the root.

    Source: "MiniMax Algorithm", the function score with depth.

    >>> decayed_score(GameResult.WIN, 1), decayed_score(GameResult.WIN, 3), decayed_score(GameResult.LOSS, 2)
    (9, 7, -8)

    Raises ValueError if `depth` is 10 or more, because a win would be worth no more than a draw.
    """
    if depth >= WIN_SCORE:
        raise ValueError(
            f"a game that ends after {depth} moves has no score; the limit is {WIN_SCORE - 1} moves"
        )
    return int(result) * (WIN_SCORE - depth)


def max_turn(game: AnyGame, maximizer: Player, depth: int = 0) -> int:
    """Return the highest score that `maximizer`, who is to move, can force.

    Source: "MiniMax Algorithm", maxTurn. Adds to `best_result` a function for each side, in place of
    reversed results, and `depth`, so that the number of moves decides between two wins or two losses.
    """
    result = game.result(maximizer)
    if result is not None:
        return decayed_score(result, depth)
    return max(
        min_turn(play_in_turn(game, move), maximizer, depth + 1) for move in game.legal_moves(mover(game))
    )


def min_turn(game: AnyGame, maximizer: Player, depth: int) -> int:
    """Return the lowest score to which the opponent, who is to move, can hold `maximizer`.

    Source: "MiniMax Algorithm", minTurn.
    """
    result = game.result(maximizer)
    if result is not None:
        return decayed_score(result, depth)
    return min(
        max_turn(play_in_turn(game, move), maximizer, depth + 1) for move in game.legal_moves(mover(game))
    )


def decayed_moves(game: Game[Move]) -> dict[Move, int]:
    """Return the decayed score of each legal move for the player to move."""
    player = mover(game)
    return {move: min_turn(play_in_turn(game, move), player, depth=1) for move in game.legal_moves(player)}
