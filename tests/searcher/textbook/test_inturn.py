"""Moves at once, played as if in turn; and the search that others are checked against."""

import pytest

from searcher.textbook.battlesnake.board import Direction
from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.inturn import InTurn, paranoid_turn_moves, whole_turns
from searcher.textbook.scores import Score, estimated, lost, won
from tests.searcher.textbook.boards import board, snake

UP, DOWN, LEFT, RIGHT = Direction


def hopeful(game: Battlesnake, player: int) -> float:
    """An evaluator that rather plays on than draws."""
    return 0.5


def test_all_are_asked_before_anything_moves() -> None:
    """The first player chooses, then the others in order; the turn is played after the last choice."""
    game = Battlesnake(board(*(snake(name, f"{x}3 {x}2 {x}1") for name, x in zip("abc", "135", strict=True))))
    position = InTurn(game, first=1)
    for player in (1, 0, 2):
        assert position.to_move == (player,)
        assert (position.position, position.turn) == (game, 0)
        position = position.play({player: UP})
    assert position == InTurn(game.play(dict.fromkeys(range(3), UP)), first=1)
    assert position.turn == 1


def test_the_dead_are_not_asked() -> None:
    """A snake that has died chooses no more, also when it was the first."""
    boxed = snake("boxed", "00 01 11 10 20")
    game = Battlesnake(board(boxed, snake("b", "44 45 46"), snake("c", "64 65 66")))
    position = InTurn(game.play({0: UP, 1: DOWN, 2: DOWN}), first=0)
    assert position.to_move == (1,)
    assert position.play({1: DOWN}).to_move == (2,)


def test_an_evaluator_sees_whole_turns() -> None:
    """It gets the game itself."""
    game = Battlesnake(board(snake("a", "11 12 13"), snake("b", "51 52 53")))

    def size(inner: Battlesnake, player: int) -> float:
        return len(inner.board.snakes[player].body) / 10

    assert whole_turns(size)(InTurn(game, 0), 1) == 0.3


def test_depth_counts_turns() -> None:
    """Three snakes, two turns: the evaluator is asked on turn 2 and nowhere else."""
    asked = set()

    def note(game: Battlesnake, player: int) -> float:
        asked.add((game.turn, player))
        return 0.0

    game = Battlesnake(board(*(snake(name, f"{x}3 {x}2 {x}1") for name, x in zip("abc", "135", strict=True))))
    paranoid_turn_moves(game, 2, 2, note)
    assert asked == {(2, 2)}


@pytest.mark.parametrize(
    ("rival", "meeting"),
    [("33 34 35 36 46", lost(1)), ("33 34 35 36", estimated(0)), ("33 34 35", estimated(0.5))],
    ids=["longer", "equal", "shorter"],
)
def test_others_answer_what_i_choose(rival: str, meeting: Score) -> None:
    """Where heads can meet a longer rival comes and kills, an equal one draws, a shorter one stays away."""
    game = Battlesnake(board(snake("me", "31 30 20 10"), snake("rival", rival)))
    elsewhere = estimated(0.5)
    assert paranoid_turn_moves(game, 0, 1, hopeful) == {UP: meeting, LEFT: elsewhere, RIGHT: elsewhere}


def test_the_end_of_a_duel_is_seen() -> None:
    """A rival with no way out is beaten on the next turn whatever I play, and sees its own loss coming."""
    game = Battlesnake(board(snake("boxed", "00 01 11 10 20"), snake("b", "44 45 46")))
    assert set(paranoid_turn_moves(game, 1, 3, hopeful).values()) == {won(1)}
    assert paranoid_turn_moves(game, 0, 3, hopeful) == {UP: lost(1)}


def test_a_later_death_is_better() -> None:
    """Of two dead ends the one of two cells is worth more than the one of a single cell."""
    game = Battlesnake(board(snake("me", "10 11 01 02 12 22 32 31 30 40 41 42 43 44"), ruleset="solo"))
    assert paranoid_turn_moves(game, 0, 9, hopeful) == {LEFT: lost(2), RIGHT: lost(3)}
