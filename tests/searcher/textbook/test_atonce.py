"""Moves at once as what they are."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

import pytest

from searcher.textbook.agents import MixedAgent
from searcher.textbook.atonce import DISCOUNT, at_once_strategy, at_once_value
from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.game import GameResult, Player
from searcher.textbook.inturn import InTurn, paranoid_turn_moves
from searcher.textbook.paranoid import paranoid_score
from tests.searcher.textbook.boards import board, recorded_board, recorded_turns, snake

BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}


@dataclass(frozen=True)
class Hands:
    """Rock, paper, scissors: one turn, both hands at once."""

    hands: tuple[str, ...] = ()

    @property
    def players(self) -> tuple[Player, Player]:
        """Two hands."""
        return 0, 1

    @property
    def to_move(self) -> tuple[Player, ...]:
        """Both, once."""
        return () if self.hands else (0, 1)

    @property
    def turn(self) -> int:
        """One turn in all."""
        return int(bool(self.hands))

    def legal_moves(self, player: Player) -> tuple[str, ...]:
        """The same for both."""
        return "rock", "paper", "scissors"

    def play(self, moves: Mapping[Player, str]) -> "Hands":
        """Show both hands."""
        return Hands((moves[0], moves[1]))

    def result(self, player: Player) -> GameResult | None:
        """Equal hands are a draw."""
        if not self.hands:
            return None
        mine, other = self.hands[player], self.hands[1 - player]
        return GameResult(((mine, other) in BEATS) - ((other, mine) in BEATS))


def even(game: object, player: int) -> float:
    """An evaluator without opinion."""
    return 0.0


def test_nobody_can_be_read() -> None:
    """A third of each hand is worth nothing; shown first, every hand loses."""
    assert at_once_value(Hands(), 0, 1, even) == 0
    assert at_once_strategy(Hands(), 0, 1, even) == pytest.approx(
        dict.fromkeys(("rock", "paper", "scissors"), 1 / 3)
    )
    assert paranoid_score(InTurn(Hands(), 0), 0, 1, even).result is GameResult.LOSS


def test_an_agent_plays_the_odds() -> None:
    """Over many games every hand is shown."""
    agent = MixedAgent[Hands](lambda game: at_once_strategy(game, 0, 1, even), Random(1))
    assert {agent.select_move(Hands()) for _ in range(40)} == {"rock", "paper", "scissors"}


def test_a_sooner_win_is_worth_more() -> None:
    """A rival with no way out dies on the next turn: a win one turn away is worth one discount."""
    game = Battlesnake(board(snake("boxed", "00 01 11 10 20"), snake("b", "44 45 46")))
    assert at_once_value(game, 1, 3, even) == pytest.approx(DISCOUNT)
    assert at_once_value(game, 0, 3, even) == pytest.approx(-DISCOUNT)


@pytest.mark.parametrize("record", range(0, 3500, 250))
def test_not_being_read_can_only_help(record: int) -> None:
    """In recorded positions the value at once is no lower than when all others know my move."""
    game = Battlesnake(recorded_board(recorded_turns()[record]))
    me = game.to_move[0]
    at_once = at_once_value(game, me, game.turn + 1, lambda position, player: health(position, player))
    worst = max(paranoid_turn_moves(game, me, 1, health).values())
    known = float(worst.result) if worst.turn is not None else worst.value
    assert at_once >= DISCOUNT * known - 1e-12


def health(game: Battlesnake, player: int) -> float:
    """An evaluator: the share of full health, less that of the healthiest rival."""
    mine, *others = (
        game.board.snakes[each].health for each in sorted(game.players, key=lambda p: p != player)
    )
    return (mine - max(others, default=0)) / 100
