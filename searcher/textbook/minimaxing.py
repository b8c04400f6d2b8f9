"""Minimaxing, step by step: from a move that wins now to the best result of any position.

Source: "Deep Learning and the Game of Go" (Pumperla and Ferguson), the part on minimaxing. All of it is
for two players who alternate. Positions of a small game recur along many lines; each is worked out anew.
"""

from searcher.textbook.game import Game, GameResult, Move, Player, mover, opponent, play_in_turn


def find_winning_move(game: Game[Move]) -> Move | None:
    """A move that wins at once; None if there is none.

    Source: "Deep Learning and the Game of Go". The first step: look at each position one move ahead.
    """
    player = mover(game)
    for move in game.legal_moves(player):
        if play_in_turn(game, move).result(player) is GameResult.WIN:
            return move
    return None


def eliminate_losing_moves(game: Game[Move]) -> list[Move]:
    """The moves that don't let the opponent win at once.

    Source: "Deep Learning and the Game of Go". Adds the opponent, who looks for a winning move too.
    """
    safe_moves = []
    for move in game.legal_moves(mover(game)):
        after = play_in_turn(game, move)
        if not after.to_move or find_winning_move(after) is None:
            safe_moves.append(move)
    return safe_moves


def find_two_step_win(game: Game[Move]) -> Move | None:
    """A move after which the opponent can't keep us from winning with the next; None if there is none.

    Source: "Deep Learning and the Game of Go". Adds our own answer: whatever the opponent does, it is a
    losing move. A move that ends the game at once is not meant here.
    """
    for move in game.legal_moves(mover(game)):
        after = play_in_turn(game, move)
        if after.to_move and not eliminate_losing_moves(after):
            return move
    return None


def best_result(game: Game[Move], player: Player) -> GameResult:
    """The best end that `player`, who is to move unless the game is over, can force.

    Source: "Deep Learning and the Game of Go", listings 3 and 4. Puts an end to counting steps: the best
    result is the best of the reversed best results of the opponent, down to the end of the game.
    """
    result = game.result(player)
    if result is not None:
        return result
    other = opponent(game, player)
    return max(best_result(play_in_turn(game, move), other).reversed() for move in game.legal_moves(player))


def best_result_moves(game: Game[Move]) -> dict[Move, GameResult]:
    """Each legal move with the best result it leaves to the player to move.

    Source: "Deep Learning and the Game of Go", listing 2, the part before the choice.
    """
    player = mover(game)
    other = opponent(game, player)
    return {
        move: best_result(play_in_turn(game, move), other).reversed() for move in game.legal_moves(player)
    }
