"""Simultaneous moves as matrix games."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searcher.textbook.battlesnake import Battlesnake
from searcher.textbook.game import GameResult, Player
from searcher.textbook.multiplayer import SequentialGame, paranoid_score, sequential_paranoid_moves
from searcher.textbook.simultaneous import (
    DISCOUNT,
    simultaneous_strategy,
    simultaneous_value,
    solve_matrix,
)
from tests.searcher.textbook.boards import board, recorded_board, recorded_turns, snake

BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}


@dataclass(frozen=True)
class Hands:
    """Rock, paper, scissors: one turn with simultaneous moves."""

    hands: tuple[str, ...] = ()

    @property
    def players(self) -> tuple[Player, Player]:
        """Both players."""
        return 0, 1

    @property
    def to_move(self) -> tuple[Player, ...]:
        """Both players, on the only turn."""
        return () if self.hands else (0, 1)

    @property
    def turn(self) -> int:
        """The number of turns played, at most one."""
        return int(bool(self.hands))

    def legal_moves(self, player: Player) -> tuple[str, ...]:
        """Return the three hands."""
        return "rock", "paper", "scissors"

    def play(self, moves: Mapping[Player, str]) -> "Hands":
        """Show both hands."""
        return Hands((moves[0], moves[1]))

    def result(self, player: Player) -> GameResult | None:
        """Return the winner; equal hands are a draw."""
        if not self.hands:
            return None
        mine, other = self.hands[player], self.hands[1 - player]
        return GameResult(((mine, other) in BEATS) - ((other, mine) in BEATS))


def even(game: object, player: int) -> float:
    """Return 0, as an evaluator for which every position is even."""
    return 0.0


def test_rock_paper_scissors_is_mixed() -> None:
    """Playing each hand with probability 1/3 has value 0; a hand that is shown first loses."""
    assert simultaneous_value(Hands(), 0, 1, even) == 0
    assert simultaneous_strategy(Hands(), 0, 1, even) == pytest.approx(
        dict.fromkeys(("rock", "paper", "scissors"), 1 / 3)
    )
    assert paranoid_score(SequentialGame(Hands(), 0), 0, 1, even).result is GameResult.LOSS


def test_an_earlier_win_is_worth_more() -> None:
    """A trapped opponent dies on the next turn; a win one turn away is discounted once."""
    game = Battlesnake(board(snake("boxed", "00 01 11 10 20"), snake("b", "44 45 46")))
    assert simultaneous_value(game, 1, 3, even) == pytest.approx(DISCOUNT)
    assert simultaneous_value(game, 0, 3, even) == pytest.approx(-DISCOUNT)


@pytest.mark.parametrize("record", range(0, 3500, 250))
def test_hidden_moves_never_lower_the_value(record: int) -> None:
    """In recorded positions the value is at least that against opponents who know my move."""
    game = Battlesnake(recorded_board(recorded_turns()[record]))
    me = game.to_move[0]
    hidden = simultaneous_value(game, me, game.turn + 1, lambda position, player: health(position, player))
    worst = max(sequential_paranoid_moves(game, me, 1, health).values())
    known = float(worst.result) if worst.turn is not None else worst.value
    assert hidden >= DISCOUNT * known - 1e-12


def health(game: Battlesnake, player: int) -> float:
    """Evaluate by the share of full health minus that of the healthiest opponent."""
    mine, *others = (
        game.board.snakes[each].health for each in sorted(game.players, key=lambda p: p != player)
    )
    return (mine - max(others, default=0)) / 100


payoffs = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-3, 3).map(lambda thirds: thirds / 3), min_size=width, max_size=width),
        min_size=1,
        max_size=4,
    )
)


@given(payoffs)
def test_neither_side_can_improve(matrix: list[list[float]]) -> None:
    """The rows earn at least the value against every column, and the columns concede at most the value."""
    solution = solve_matrix(matrix)
    exact = [[Fraction(payoff) for payoff in row] for row in matrix]
    for probabilities in (solution.rows, solution.columns):
        assert sum(probabilities) == 1
        assert min(probabilities) >= 0
    for column in zip(*exact, strict=True):
        assert sum(p * x for p, x in zip(solution.rows, column, strict=True)) >= solution.value
    for row in exact:
        assert sum(p * x for p, x in zip(solution.columns, row, strict=True)) <= solution.value
