"""Monte Carlo tree search of simultaneous moves."""

from random import Random

import pytest

from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.decoupled_uct import Node, decoupled_uct
from searcher.textbook.paranoid import paranoid_score
from searcher.textbook.score import lost, won
from searcher.textbook.sequential import SequentialGame
from tests.searcher.textbook.boards import board, recorded_board, recorded_turns, snake
from tests.searcher.textbook.test_simultaneous import Hands, even


def test_both_players_of_rock_paper_scissors_mix() -> None:
    """Each hand is chosen about a third of the time by either player, and none is proven."""
    root = decoupled_uct(Hands(), 0, 3_000, even, Random(1))
    for player in (0, 1):
        shares = [root.chosen[player, hand] / 3_000 for hand in ("rock", "paper", "scissors")]
        assert shares == pytest.approx([1 / 3] * 3, abs=0.1)
    assert (root.proof, root.proofs) == (None, {})


@pytest.mark.parametrize("record", range(0, 3500, 500))
def test_every_iteration_is_counted_once(record: int) -> None:
    """Every node's visits are those of its children and its own first one."""
    game = Battlesnake(recorded_board(recorded_turns()[record]))
    root = decoupled_uct(game, game.to_move[0], 60, even, Random(record))
    assert root.visits > 1
    assert_counted(root)


def assert_counted(node: Node[Battlesnake]) -> None:
    """Assert that the visits of a node and of those below it add up."""
    if node.children:
        assert node.visits == 1 + sum(child.visits for child in node.children.values())
        for player, moves in node.moves.items():
            assert node.visits == 1 + sum(node.chosen[player, move] for move in moves)
    for child in node.children.values():
        assert_counted(child)


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
