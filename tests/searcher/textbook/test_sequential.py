"""Simultaneous moves as a sequential game, and the plain search that other searches are checked against."""

import pytest

from searcher.textbook.battlesnake.board import Direction
from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.score import Score, estimated, lost, won
from searcher.textbook.sequential import SequentialGame, sequential_evaluator, sequential_paranoid_moves
from tests.searcher.textbook.boards import board, snake

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


def test_an_evaluator_sees_whole_turns() -> None:
    """The evaluator receives the underlying game."""
    game = Battlesnake(board(snake("a", "11 12 13"), snake("b", "51 52 53")))

    def size(inner: Battlesnake, player: int) -> float:
        return len(inner.board.snakes[player].body) / 10

    assert sequential_evaluator(size)(SequentialGame(game, 0), 1) == 0.3


def test_depth_counts_turns() -> None:
    """With three snakes and a depth of two, the evaluator is called on turn 2 only."""
    calls = set()

    def record(game: Battlesnake, player: int) -> float:
        calls.add((game.turn, player))
        return 0.0

    game = Battlesnake(board(*(snake(name, f"{x}3 {x}2 {x}1") for name, x in zip("abc", "135", strict=True))))
    sequential_paranoid_moves(game, 2, 2, record)
    assert calls == {(2, 2)}


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


def test_the_end_of_a_duel_is_found() -> None:
    """A trapped opponent loses on the next turn for every move of mine, and its own search finds the loss."""
    game = Battlesnake(board(snake("boxed", "00 01 11 10 20"), snake("b", "44 45 46")))
    assert set(sequential_paranoid_moves(game, 1, 3, hopeful).values()) == {won(1)}
    assert sequential_paranoid_moves(game, 0, 3, hopeful) == {UP: lost(1)}


def test_a_later_death_is_better() -> None:
    """A dead end of two cells scores higher than a dead end of one cell."""
    game = Battlesnake(board(snake("me", "10 11 01 02 12 22 32 31 30 40 41 42 43 44"), ruleset="solo"))
    assert sequential_paranoid_moves(game, 0, 9, hopeful) == {LEFT: lost(2), RIGHT: lost(3)}
