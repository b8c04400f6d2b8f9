"""The entries of a turn's matrix game: what bounds are known of them, and which to look at next.

A row is one of my legal moves, a column a joint move of the others. Both are numbered by direction, columns
with the first snake's choice changing fastest, so that a number means the same whenever it is met.
"""

from typing import Any

import numpy as np
from numba import int64, njit

from searcher.engine.rules.turn import is_alive
from searcher.engine.search.matrix import solve
from searcher.engine.search.score import DRAW, HEURISTIC_LIMIT, INFINITE, MAX_TURNS, loss_at, win_at

# Plain integers would be types of their own to the compiler, and their functions compiled for each of them.
LOW, HIGH = np.int64(0), np.int64(1)
"""The two matrices of a ply: what each entry is at least, and at most."""

MINE, THEIRS = np.int64(1), np.int64(-1)
"""The two sides. For theirs a matrix is turned and negated, so that both want much."""

COLUMN_BITS = 6
"""An entry's number: its row, then its column in so many bits."""

NO_ENTRY = -1


@njit
def list_moves(tree: Any, ply: int) -> None:
    """Lists every living snake's legal moves and counts rows and columns; a crowd's replies are one column.

    The choices of my own snake are left at none, as the odometer of replies wants it.
    """
    columns = 1
    for snake in range(len(tree.boards[ply].head)):
        count = 0
        if is_alive(tree.boards[ply], snake):
            for direction in range(4):
                if (tree.legal[ply, snake] >> direction) & 1:
                    tree.order[ply, snake, count] = direction
                    count += 1
        if snake == tree.you:
            tree.rows[ply] = count
            count = 0
        tree.choices[ply, snake] = count
        columns *= max(count, 1)
    tree.crowded[ply] = int(columns > tree.matrix.shape[3])
    tree.columns[ply] = 1 if tree.crowded[ply] else columns


@njit
def forget_entries(tree: Any, ply: int) -> None:
    """Nothing is known of the entries but that the game does not end before the turn."""
    for row in range(tree.rows[ply]):
        for column in range(tree.columns[ply]):
            tree.matrix[ply, LOW, row, column] = loss_at(ply + 1)
            tree.matrix[ply, HIGH, row, column] = win_at(ply + 1)


@njit
def entry_at(row: int, column: int) -> int:
    """The number of an entry."""
    return (row << COLUMN_BITS) | column


@njit
def row_of(entry: int) -> int:
    """The row of an entry."""
    return entry >> COLUMN_BITS


@njit
def column_of(entry: int) -> int:
    """The column of an entry."""
    return entry & ((1 << COLUMN_BITS) - 1)


@njit
def joint_of(tree: Any, ply: int, entry: int) -> int:
    """The joint move of an entry; of a crowd one of them."""
    joint = int64(tree.order[ply, tree.you, row_of(entry)]) << (2 * tree.you)
    column = column_of(entry)
    for snake in range(len(tree.boards[ply].head)):
        choices = int64(tree.choices[ply, snake])
        if choices != 0:
            joint |= int64(tree.order[ply, snake, column % choices]) << (2 * snake)
            column //= choices
    return joint


@njit
def favourite(tree: Any, ply: int) -> int:
    """The entry of the moves that have the best history."""
    row, column, radix = 0, 0, 1
    for snake in range(len(tree.boards[ply].head)):
        if snake == tree.you:
            row = best_choice(tree, ply, snake, tree.rows[ply])
        elif tree.choices[ply, snake] != 0:
            choices = int64(tree.choices[ply, snake])
            column += radix * best_choice(tree, ply, snake, choices)
            radix *= choices
    return entry_at(row, 0 if tree.crowded[ply] else column)


@njit
def best_choice(tree: Any, ply: int, snake: int, choices: int) -> int:
    """Which of a snake's listed moves has the best history."""
    head = tree.boards[ply].head[snake]
    best, best_history = 0, -1
    for choice in range(choices):
        history = tree.history[snake, head, tree.order[ply, snake, choice]]
        if history > best_history:
            best, best_history = choice, history
    return best


@njit
def entry_of(side: int, own: int, other: int) -> int:
    """The entry of a strategy of a side and one of the other's."""
    return entry_at(own, other) if side == MINE else entry_at(other, own)


@njit
def strategies(tree: Any, ply: int, side: int) -> int:
    """How many a side has to choose from."""
    return int(tree.rows[ply] if side == MINE else tree.columns[ply])


@njit
def payoff(tree: Any, ply: int, plane: int, side: int, own: int, other: int) -> int:
    """What an entry of one of the two matrices is to a side."""
    if side == MINE:
        return int(tree.matrix[ply, plane, own, other])
    return -int(tree.matrix[ply, plane, other, own])


@njit
def least(tree: Any, ply: int, side: int, own: int, other: int) -> int:
    """What an entry brings a side at least."""
    return payoff(tree, ply, LOW if side == MINE else HIGH, side, own, other)


@njit
def most(tree: Any, ply: int, side: int, own: int, other: int) -> int:
    """What an entry brings a side at most."""
    return payoff(tree, ply, HIGH if side == MINE else LOW, side, own, other)


@njit
def security(tree: Any, ply: int, plane: int, side: int) -> tuple[int, int]:
    """A side's strategy of the greatest least payoff in one of the two matrices, and that payoff."""
    best, best_payoff = 0, -INFINITE
    for own in range(strategies(tree, ply, side)):
        worst = INFINITE
        for other in range(strategies(tree, ply, -side)):
            worst = min(worst, payoff(tree, ply, plane, side, own, other))
        if worst > best_payoff:
            best, best_payoff = own, worst
    return best, best_payoff


@njit
def secured(tree: Any, ply: int, side: int) -> tuple[int, int]:
    """The strategy by which a side secures the most, as far as is known, and how much."""
    return security(tree, ply, LOW if side == MINE else HIGH, side)


@njit
def most_hopeful(tree: Any, ply: int, side: int, first: int, alpha: int, beta: int) -> tuple[int, int, int]:
    """A side's strategy that may secure the most, what that is, and the most of those known to be below beta.

    Payoffs are clipped to the window. Of equals it is the one that is met first from `first` on.
    """
    count = strategies(tree, ply, side)
    best, best_hope, rival = 0, -INFINITE, alpha
    for step in range(count):
        own = (first + step) % count
        hope = beta
        for other in range(strategies(tree, ply, -side)):
            hope = min(hope, most(tree, ply, side, own, other))
        hope = max(hope, alpha)
        if hope < beta:
            rival = max(rival, hope)
        if hope > best_hope:
            best, best_hope = own, hope
    return best, best_hope, rival


@njit
def most_doubtful(tree: Any, ply: int, side: int, own: int, first: int) -> int:
    """The other side's strategy against which one of `side`'s brings the least for all that is known."""
    count = strategies(tree, ply, -side)
    best, best_payoff = 0, INFINITE
    for step in range(count):
        other = (first + step) % count
        bound = least(tree, ply, side, own, other)
        if bound < best_payoff:
            best, best_payoff = other, bound
    return best


@njit
def next_pure(tree: Any, ply: int, side: int, first: int, alpha: int, beta: int) -> tuple[int, int, int]:
    """The entry to look at for what a side can secure, if it moved first, and the window to look in.

    NO_ENTRY if that is known as far as it lies within the window. As in principal variation search an entry
    must first show in a null window that it changes anything: that it is worse than its strategy's
    others, or that its strategy is better than the best one known.
    """
    my_first, their_first = row_of(first), column_of(first)
    own_first, other_first = (my_first, their_first) if side == MINE else (their_first, my_first)
    own, hope, rival = most_hopeful(tree, ply, side, own_first, alpha, beta)
    other = most_doubtful(tree, ply, side, own, other_first)
    bound = max(least(tree, ply, side, own, other), alpha)
    entry = entry_of(side, own, other)
    if bound >= hope:
        return NO_ENTRY, 0, 0
    if bound > alpha or most(tree, ply, side, own, other) < beta:
        return entry, max(bound - 1, alpha), hope
    if hope < beta:
        return entry, hope - 1, hope
    return entry, rival, rival + 1 if rival > alpha else beta


@njit
def worth(tree: Any, ply: int, plane: int) -> float:
    """The value of one of the two matrices, as `simultaneous` defines it; leaves the odds in the tree."""
    row, lower = security(tree, ply, plane, MINE)
    column, upper = security(tree, ply, plane, THEIRS)
    upper = -upper
    if lower == upper or lower >= HEURISTIC_LIMIT or upper < DRAW:
        tree.row_odds[plane] = 0.0
        tree.column_odds[plane] = 0.0
        tree.row_odds[plane, row] = 1.0
        tree.column_odds[plane, column] = 1.0
        return float(lower if lower >= HEURISTIC_LIMIT else upper)
    for i in range(tree.rows[ply]):
        for j in range(tree.columns[ply]):
            entry = tree.matrix[ply, plane, i, j]
            tree.tableau[i, j] = entry + MAX_TURNS if entry < DRAW else entry
    mixed = solve(
        tree.tableau, tree.rows[ply], tree.columns[ply], tree.row_odds[plane], tree.column_odds[plane]
    )
    return min(max(mixed, 1.0 - HEURISTIC_LIMIT), HEURISTIC_LIMIT - 1.0)


@njit
def bounds_of_worth(tree: Any, ply: int) -> tuple[float, float]:
    """What the position is worth at least and at most; leaves the odds of both in the tree."""
    return worth(tree, ply, LOW), worth(tree, ply, HIGH)


@njit
def next_mixed(tree: Any, ply: int) -> int:
    """Of the unknown entries the one that both sides most likely meet at if both hope for the best.

    NO_ENTRY if all are known. If all that the hopeful odds meet at are known, the two bounds of the value are
    equal: what I hope for is what the others have to fear.
    """
    best, best_odds = NO_ENTRY, -1.0
    for row in range(tree.rows[ply]):
        for column in range(tree.columns[ply]):
            odds = tree.row_odds[HIGH, row] * tree.column_odds[LOW, column]
            known = tree.matrix[ply, LOW, row, column] == tree.matrix[ply, HIGH, row, column]
            if not known and odds > best_odds:
                best, best_odds = entry_at(row, column), odds
    return best


@njit
def safest(tree: Any, ply: int) -> int:
    """The entry of both sides' best strategies if each of them moved first."""
    return entry_at(secured(tree, ply, MINE)[0], secured(tree, ply, THEIRS)[0])


@njit
def likeliest(tree: Any, ply: int) -> int:
    """The entry that both sides most likely meet at, by the odds in the tree."""
    row, column = 0, 0
    for i in range(tree.rows[ply]):
        if tree.row_odds[LOW, i] > tree.row_odds[LOW, row]:
            row = i
    for j in range(tree.columns[ply]):
        if tree.column_odds[HIGH, j] > tree.column_odds[HIGH, column]:
            column = j
    return entry_at(row, column)
