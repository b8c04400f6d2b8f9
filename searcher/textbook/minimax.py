"""Minimax, step by step: from a move that wins at once to the best result of any position.

Source: "Deep Learning and the Game of Go" (Pumperla and Ferguson), the part on minimaxing. Everything here is
for two players who alternate. Positions of a small game recur in many lines; each is searched anew.
"""

from searcher.textbook.game import Game, GameResult, Move, Player, mover, opponent, play_in_turn


def find_winning_move(game: Game[Move]) -> Move | None:
    """Return a move that wins at once; None if there is none.

    Source: "Deep Learning and the Game of Go". The first step: examine each position one move ahead.
    """
    player = mover(game)
    for move in game.legal_moves(player):
        if play_in_turn(game, move).result(player) is GameResult.WIN:
            return move
    return None


def eliminate_losing_moves(game: Game[Move]) -> list[Move]:
    """Return the moves after which the opponent has no winning move.

    Source: "Deep Learning and the Game of Go". Adds the opponent, who searches for a winning move too.
    """
    safe_moves = []
    for move in game.legal_moves(mover(game)):
        after = play_in_turn(game, move)
        if not after.to_move or find_winning_move(after) is None:
            safe_moves.append(move)
    return safe_moves


def find_two_step_win(game: Game[Move]) -> Move | None:
    """Return a move after which our next move wins, whatever the opponent plays; None if there is none.

    Source: "Deep Learning and the Game of Go". Adds our own answer: every move of the opponent is a losing
    one. A move that ends the game at once does not count.
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
