"""Searches with more than two players: paranoid, alpha-beta, MaxN, and choices one after the other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searcher.textbook.battlesnake import Battlesnake, Direction
from searcher.textbook.depth_limited import Score, depth_limited_moves, estimated, lost
from searcher.textbook.game import GameResult, Player, mover
from searcher.textbook.multiplayer import (
    SequentialGame,
    alpha_beta_score,
    maxn_moves,
    maxn_scores,
    paranoid_moves,
    paranoid_score,
    sequential_paranoid_moves,
)
from searcher.textbook.tictactoe import TicTacToe, open_lines
from tests.searcher.textbook.boards import board, snake


@dataclass(frozen=True)
class Tree:
    """A position in a tree. Players choose branches in turn; a leaf holds an estimate for each player."""

    node: tuple[Any, ...]
    seats: int
    turn: int = 0

    @property
    def players(self) -> range:
        """All seats."""
        return range(self.seats)

    @property
    def to_move(self) -> tuple[Player, ...]:
        """The players in turn, down to a leaf."""
        return (self.turn % self.seats,) if isinstance(self.node[0], tuple) else ()

    def legal_moves(self, player: Player) -> range:
        """Return the branches from left to right."""
        return range(len(self.node))

    def play(self, moves: Mapping[Player, int]) -> "Tree":
        """Descend into a branch."""
        return Tree(self.node[moves[mover(self)]], self.seats, self.turn + 1)

    def result(self, player: Player) -> GameResult | None:
        """Return None: leaves have estimates, not results."""
        return None


def leaf_estimate(game: Tree, player: Player) -> float:
    """Return the estimate of a leaf for `player`."""
    return float(game.node[player])


THREE = Tree(
    (
        (((0.5, 0.0, 0.4), (-0.4, 0.2, 0.3)), ((0.9, -0.9, 0.1), (0.8, -0.8, 0.2))),
        (((0.1, 0.1, 0.0), (0.2, 0.3, 0.1)), ((0.0, -0.1, 0.6), (0.3, 0.2, 0.5))),
    ),
    seats=3,
)
"""Three players, one move each. The left branch is good for the first player if the others are selfish."""


def test_opponents_choose_what_is_worst_for_me() -> None:
    """The opponents can hold me to -0.4 on the left, but only to 0 on the right."""
    assert paranoid_moves(THREE, 3, leaf_estimate) == {0: estimated(-0.4), 1: estimated(0.0)}


CLASSIC = Tree(
    (((0.3,), (0.9,), (0.8,)), ((0.2,), (0.4,), (0.6,)), ((0.9,), (0.5,), (0.2,))),
    seats=2,
)
"""Three branches of three leaves, scored for the first player."""


def counted(seen: list[float]) -> Callable[[Tree, int], float]:
    """Return an evaluator that records its values in `seen`."""

    def evaluate(game: Tree, player: int) -> float:
        seen.append(game.node[0])
        return float(game.node[0])

    return evaluate


def test_a_refuted_branch_is_cut_off() -> None:
    """After a reply worth 0.2 the middle branch is worse than the first one's 0.3; two leaves are skipped."""
    seen: list[float] = []
    assert alpha_beta_score(CLASSIC, 0, 2, counted(seen)) == estimated(0.3)
    assert seen == [0.3, 0.9, 0.8, 0.2, 0.9, 0.5, 0.2]


def nodes(depth: int) -> st.SearchStrategy[tuple[Any, ...]]:
    """Return a strategy for trees of one depth: one to three branches a node, tenths at the leaves."""
    if not depth:
        return st.tuples(st.integers(-10, 10).map(lambda tenths: tenths / 10))
    return st.lists(nodes(depth - 1), min_size=1, max_size=3).map(tuple)


@given(nodes(3), st.integers(-10, 9), st.integers(1, 20))
def test_the_contract_of_the_window(node: tuple[Any, ...], low: int, width: int) -> None:
    """Inside the window the score is exact; at or outside the window it is a bound."""
    alpha, beta = estimated(low / 10), estimated(min(low + width, 10) / 10)
    exact = paranoid_score(Tree(node, 3), 0, 3, counted([]))
    score = alpha_beta_score(Tree(node, 3), 0, 3, counted([]), alpha, beta)
    if score <= alpha:
        assert exact <= score
    elif score >= beta:
        assert exact >= score
    else:
        assert exact == score


def test_every_player_maximizes_their_own_score() -> None:
    """The third player takes its 0.4, which leaves 0 to the second and 0.5 to me: more than on the right."""
    assert maxn_scores(THREE, 3, leaf_estimate) == tuple(map(estimated, (0.5, 0.0, 0.4)))
    assert maxn_moves(THREE, 3, leaf_estimate) == {0: estimated(0.5), 1: estimated(0.2)}


def test_ties_are_broken_against_a_player() -> None:
    """An indifferent player takes the branch that is worst for `against`, or the first if that is itself."""
    tree = Tree((((0.9, 0.5), (0.1, 0.5), (0.0, 0.4)),), seats=2)
    assert maxn_scores(tree, 2, leaf_estimate, against=0) == tuple(map(estimated, (0.1, 0.5)))
    assert maxn_scores(tree, 2, leaf_estimate, against=1) == tuple(map(estimated, (0.9, 0.5)))
    assert maxn_moves(tree, 2, leaf_estimate, against=0) == {0: estimated(0.1)}


@pytest.mark.parametrize("cells", [".........", "X...O....", "X...O..OX"])
def test_a_zero_sum_duel_is_plain_minimax(cells: str) -> None:
    """With two players and opposite scores, paranoid minimax and MaxN are plain minimax."""
    game = TicTacToe(cells)
    expected = depth_limited_moves(game, 3, open_lines)
    assert paranoid_moves(game, 3, open_lines) == maxn_moves(game, 3, open_lines) == expected


def test_a_death_keeps_its_turn() -> None:
    """A snake that dies on the first turn is scored by that turn, even if the others play on."""
    boxed = snake("boxed", "00 01 11 10 20")
    game = Battlesnake(board(boxed, snake("b", "44 45 46"), snake("c", "64 65 66")))
    scores = maxn_scores(SequentialGame(game, 0), 2, lambda game, player: 0.0)
    assert scores[0] == lost(1)
    assert scores[1] == scores[2] == estimated(0)


UP, DOWN, LEFT, RIGHT = Direction


def hopeful(game: Battlesnake, player: int) -> float:
    """Return 0.5, as an evaluator that prefers playing on to a draw."""
    return 0.5


def test_all_choose_before_the_turn_is_played() -> None:
    """The first player chooses, then the others in order; the last choice plays the turn."""
    game = Battlesnake(board(*(snake(name, f"{x}3 {x}2 {x}1") for name, x in zip("abc", "135", strict=True))))
    position = SequentialGame(game, first=1)
    for player in (1, 0, 2):
        assert position.to_move == (player,)
        assert (position.position, position.turn) == (game, 0)
        position = position.play({player: UP})
    assert position == SequentialGame(game.play(dict.fromkeys(range(3), UP)), first=1)
    assert position.turn == 1


def test_dead_snakes_do_not_choose() -> None:
    """A dead snake makes no choice, even if it is the first player."""
    boxed = snake("boxed", "00 01 11 10 20")
    game = Battlesnake(board(boxed, snake("b", "44 45 46"), snake("c", "64 65 66")))
    position = SequentialGame(game.play({0: UP, 1: DOWN, 2: DOWN}), first=0)
    assert position.to_move == (1,)
    assert position.play({1: DOWN}).to_move == (2,)


@pytest.mark.parametrize(
    ("rival", "meeting"),
    [("33 34 35 36 46", lost(1)), ("33 34 35 36", estimated(0)), ("33 34 35", estimated(0.5))],
    ids=["longer", "equal", "shorter"],
)
def test_opponents_reply_to_my_choice(rival: str, meeting: Score) -> None:
    """Where heads can meet, a longer opponent kills me, an equal one draws and a shorter one stays away."""
    game = Battlesnake(board(snake("me", "31 30 20 10"), snake("rival", rival)))
    elsewhere = estimated(0.5)
    assert sequential_paranoid_moves(game, 0, 1, hopeful) == {UP: meeting, LEFT: elsewhere, RIGHT: elsewhere}


def test_a_later_death_is_better() -> None:
    """A dead end of two cells scores higher than a dead end of one cell."""
    game = Battlesnake(board(snake("me", "10 11 01 02 12 22 32 31 30 40 41 42 43 44"), ruleset="solo"))
    assert sequential_paranoid_moves(game, 0, 9, hopeful) == {LEFT: lost(2), RIGHT: lost(3)}
