"""MaxN (Luckhardt and Irani, 1986): a score for each snake, and each does what is best for itself.

A turn is looked at as if in order: I choose, then the other living snakes by their index, each knowing the
choices before its own; then all move at once by the rules. Who dies keeps the score of that death, and the
others play on. Of moves that are equal for it another snake takes the one that is worst for me; where that
is equal too, and where I choose, the first by direction.

Nothing is pruned but the other moves of a snake that wins on this turn: all the ways in which it wins now
give everybody the same. Shallow pruning (Korf, 1991) needs a bound on the sum of all scores, which the
evaluators do not promise. A leaf costs one evaluation for each living snake.
"""

from typing import Any

from numba import njit

from searcher.engine.jit.intrinsics import call_evaluator, call_reply, copy_record
from searcher.engine.rules.turn import is_alive, move_of, play
from searcher.engine.search.clock import counts_node
from searcher.engine.search.ordering import NO_MOVE, find_legal_moves
from searcher.engine.search.score import draw_at, heuristic, loss_at, win_at

ANY_MOVE = -1
"""In the place of my move: I choose as the others do."""


def reply(tree: Any, game: Any, weights: Any, ply: int, depth: int, move: int, alpha: int, beta: int) -> int:
    """My score of my move, or of ANY_MOVE, `depth` turns deep: exact, whatever the window.

    Leaves what everybody may expect in `tree.outlook` of this ply. The value means nothing once
    `tree.stopped` is set. This is the one function of the search with an address: it calls itself by
    `tree.search`.
    """
    find_legal_moves(game, tree, ply)
    if move != ANY_MOVE:
        tree.legal[ply, tree.you] = 1 << move
    joint = first_joint(tree, ply)
    while joint >= 0:
        after_turn(tree, game, weights, ply, depth, joint)
        if tree.stopped:
            return 0
        joint = next_joint(tree, ply, joint)
    keep_reply_line(tree, ply)
    return tree.outlook[ply].scores[tree.you]


@njit
def after_turn(tree: Any, game: Any, weights: Any, ply: int, depth: int, joint: int) -> None:
    """Finds the outlook of the position that a joint move leads to. Counts a node."""
    if not counts_node(tree):
        return
    board = tree.boards[ply + 1]
    copy_record(board, tree.boards[ply])
    play(game, board, joint)
    living = 0
    for snake in range(len(board.head)):
        living += int(is_alive(board, snake))
    tree.outlook[ply + 1].line_end = ply + 1
    if living <= tree.contested:
        score_winner(tree, ply + 1)
    elif depth == 1:
        score_living(tree, game, weights, ply + 1)
    else:
        call_reply(tree.search, tree, game, weights, ply + 1, depth - 1, ANY_MOVE, 0, 0)
    score_dead(tree, ply, living == 0 and tree.contested != 0)
    tree.outlook[ply + 1].line[ply] = joint


@njit
def score_winner(tree: Any, ply: int) -> None:
    """Scores the one that is alive at the end of the game, if there is one."""
    for snake in range(len(tree.boards[ply].head)):
        if is_alive(tree.boards[ply], snake):
            tree.outlook[ply].scores[snake] = win_at(ply)


@njit
def score_living(tree: Any, game: Any, weights: Any, ply: int) -> None:
    """Scores a leaf for every living snake."""
    board = tree.boards[ply]
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            tree.evaluations += 1
            value = call_evaluator(tree.evaluator, game, board, weights, snake)
            tree.outlook[ply].scores[snake] = heuristic(value)


@njit
def score_dead(tree: Any, ply: int, drawn: bool) -> None:
    """Scores those who are dead after the turn of a ply by that turn; a draw for those whom it killed last.

    The turn before it does so again for those who were dead already, so that each keeps its own death.
    """
    scores = tree.outlook[ply + 1].scores
    for snake in range(len(scores)):
        if not is_alive(tree.boards[ply + 1], snake):
            died_last = drawn and is_alive(tree.boards[ply], snake)
            scores[snake] = draw_at(ply + 1) if died_last else loss_at(ply + 1)


@njit
def first_joint(tree: Any, ply: int) -> int:
    """The first joint move to look at: everybody's first legal move."""
    joint = 0
    for snake in range(len(tree.boards[ply].head)):
        if is_alive(tree.boards[ply], snake):
            joint |= first_move(tree.legal[ply, snake], 0) << (2 * snake)
    return joint


@njit
def next_joint(tree: Any, ply: int, joint: int) -> int:
    """The joint move to look at after one whose outlook is known, the last chooser's changing fastest.

    Who has no move left to look at goes back to its first one, and its choice is what the chooser before
    compares. The first chooser's choice is the outlook of this ply, and -1 the answer.
    """
    board, found = tree.boards[ply], tree.outlook[ply + 1]
    for place in range(len(board.head) - 1, -1, -1):
        snake = chooser(tree.you, place)
        if is_alive(board, snake):
            moves, move = int(tree.legal[ply, snake]), move_of(joint, snake)
            first = first_move(moves, 0)
            chosen = tree.chosen[ply, snake]
            if move == first or prefers(tree.you, snake, found.scores, chosen.scores):
                copy_record(chosen, found)
            following = first_move(moves, move + 1)
            if following != NO_MOVE and chosen.scores[snake] < win_at(ply + 1):
                return with_move(joint, snake, following)
            joint = with_move(joint, snake, first)
            found = chosen
    copy_record(tree.outlook[ply], found)
    return -1


@njit
def with_move(joint: int, snake: int, move: int) -> int:
    """A joint move in which a snake makes another move."""
    return joint & ~(3 << (2 * snake)) | move << (2 * snake)


@njit
def chooser(you: int, place: int) -> int:
    """The snake that chooses at a place in the order: I am the first, at place 0."""
    return you if place == 0 else place - int(place <= you)


@njit
def prefers(you: int, snake: int, scores: Any, others: Any) -> bool:
    """Whether a snake takes some scores rather than others that it would else stay with."""
    if scores[snake] != others[snake]:
        return scores[snake] > others[snake]
    return scores[you] < others[you]


@njit
def first_move(moves: int, start: int) -> int:
    """The first of a set of moves, from the direction `start` on; NO_MOVE if there is none."""
    for move in range(start, 4):
        if (moves >> move) & 1:
            return move
    return NO_MOVE


@njit
def keep_reply_line(tree: Any, ply: int) -> None:
    """Notes the line of a ply's outlook as the one below my newest move."""
    outlook = tree.outlook[ply]
    for turn in range(outlook.line_end - ply):
        tree.reply_line[ply, turn] = outlook.line[ply + turn]
    tree.reply_length[ply] = outlook.line_end - ply
