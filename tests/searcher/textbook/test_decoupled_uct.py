"""Monte Carlo tree search of simultaneous moves."""

from collections import Counter
from math import sqrt
from random import Random
from typing import Any

import pytest

from searcher.textbook.battlesnake import Battlesnake
from searcher.textbook.decoupled_uct import (
    DISCOUNT,
    EXPLORATION,
    Node,
    choose,
    credit,
    decoupled_uct,
    open_moves,
)
from searcher.textbook.depth_limited import lost, won
from searcher.textbook.multiplayer import SequentialGame, paranoid_score
from tests.searcher.textbook.boards import board, snake
from tests.searcher.textbook.test_simultaneous import Hands, even


def test_both_players_of_rock_paper_scissors_mix() -> None:
    """Each hand is chosen about a third of the time by either player, and none is proven."""
    root = decoupled_uct(Hands(), 0, 3_000, even, Random(1))
    for player in (0, 1):
        shares = [root.chosen[player, hand] / 3_000 for hand in ("rock", "paper", "scissors")]
        assert shares == pytest.approx([1 / 3] * 3, abs=0.1)
    assert (root.proof, root.proofs) == (None, {})


def test_ends_that_no_opponent_can_prevent_are_proven() -> None:
    """A trapped opponent dies on the next turn whatever anyone plays: a win for me, a loss for it."""
    game = Battlesnake(board(snake("boxed", "00 01 11 10 20"), snake("b", "44 45 46")))
    assert decoupled_uct(game, 1, 100, even, Random(1)).proof == won(turn=1)
    assert decoupled_uct(game, 0, 100, even, Random(1)).proof == lost(turn=1)


def test_a_loss_that_takes_the_right_reply_is_not_proven() -> None:
    """A longer snake can meet me wherever I go, if it guesses right; only paranoid minimax calls it lost."""
    game = Battlesnake(board(snake("a", "01 02 12"), snake("b", "10 20 30 31")))
    assert paranoid_score(SequentialGame(game, 0), 0, 1, even) == lost(turn=1)
    root = decoupled_uct(game, 0, 200, even, Random(1), depth=1)
    assert (root.proof, root.proofs) == (None, {})
    assert len(root.children) == len(root.moves[0]) * len(root.moves[1])


MOVES = ["rock", "paper", "scissors"]


class Dice:
    """A random number generator with known numbers."""

    def __init__(self, number: float = 0.0, choice: int = 0) -> None:
        self._number = number
        self._choice = choice
        self.asked: list[int] = []

    def random(self) -> float:
        """Return the known number."""
        return self._number

    def randrange(self, stop: int, /) -> int:
        """Return the known choice, and remember of how many."""
        self.asked.append(stop)
        return self._choice


def node(visits: int = 0, **means: tuple[float, int]) -> Node[Hands]:
    """Return a node with mean values of moves of the first player, and how often each was chosen."""
    made: Node[Hands] = Node(Hands(), {0: MOVES, 1: MOVES}, {0: 0.5, 1: -0.25}, None, visits)
    totals: dict[tuple[int, str], float] = {
        (0, move): mean * chosen for move, (mean, chosen) in means.items()
    }
    made.chosen.update({(0, move): chosen for move, (_, chosen) in means.items()})
    made.totals = Counter(totals)
    return made


def test_values_shrink_with_each_turn_up() -> None:
    """Each move on the path gets its player's value, discounted once for each turn below it."""
    root, middle, leaf = node(visits=1), node(visits=1), node()
    joint: list[dict[int, Any]] = [{0: "rock", 1: "paper"}, {0: "paper", 1: "scissors"}]
    credit([(root, joint[0]), (middle, joint[1])], leaf)
    assert (root.visits, middle.visits, leaf.visits) == (2, 2, 1)
    assert middle.totals == {(0, "paper"): 0.5 * DISCOUNT, (1, "scissors"): -0.25 * DISCOUNT}
    assert root.totals == pytest.approx({(0, "rock"): 0.5 * DISCOUNT**2, (1, "paper"): -0.25 * DISCOUNT**2})
    assert root.chosen == {(0, "rock"): 1, (1, "paper"): 1}
    assert leaf.values == {0: 0.5, 1: -0.25} and not leaf.chosen


@pytest.mark.parametrize(("above", "chosen"), [(-0.001, "rock"), (0.001, "paper")])
def test_the_bonus_is_that_of_the_source(above: float, chosen: str) -> None:
    """It is c * sqrt(visits) / (1 + n), twice a number of which the mean is 1/2."""
    number, visits = 0.75, 16
    bonus = [EXPLORATION * sqrt(visits) * 2 * number / (1 + n) for n in (3, 12)]
    tried = node(visits, rock=(0.1, 3), paper=(0.1 + bonus[0] - bonus[1] + above, 12))
    assert choose(tried, 0, ["rock", "paper"], Dice(number)) == chosen


@pytest.mark.parametrize(("choice", "chosen"), [(0, "scissors"), (1, "rock")])
def test_ties_are_drawn(choice: int, chosen: str) -> None:
    """Each of the equal moves is chosen with the same probability: the n-th takes over in 1 of n cases."""
    dice = Dice(choice=choice)
    assert choose(node(), 0, MOVES, dice) == chosen
    assert dice.asked == [2, 3]


def test_proven_moves_are_not_tried_again() -> None:
    """A sure win is all that is worth choosing; sure losses are left out, unless there is nothing else."""
    tried = node()
    assert open_moves(tried, 0) == MOVES
    tried.proofs["rock"] = lost(3)
    assert open_moves(tried, 0) == ["paper", "scissors"]
    tried.proofs |= {"paper": lost(4), "scissors": lost(5)}
    assert open_moves(tried, 0) == MOVES
    tried.proofs["paper"] = won(4)
    assert open_moves(tried, 0) == ["paper"]
