"""One snake of one game: its counts, its answers and its end."""

from dataclasses import replace

import grpc
import msgspec
import pytest

from battlesnake_search.board import Turn
from battlesnake_search.searcher_client import Failure
from battlesnake_search.translate import MoveResult, PlayedStrategy
from gateway.game.game import Game
from gateway.game.outcome import outcome_of
from gateway.play.player import Answer
from gateway.play.shadows import Comparison
from gateway.routes.config import Variant
from gateway.routes.draw import Choice
from tests.console.store.game_samples import turn_at, with_latency
from tests.console.store.outcome_samples import answer, choice, recorded

MOVE = recorded("standard-move-mid-42")


def _moved(game: Game, number: int, chosen: Choice, given: Answer) -> None:
    turn = msgspec.structs.replace(MOVE, turn=number)
    game.add_move(game.see(turn), chosen, given)


@pytest.mark.parametrize(
    ("choices", "drawn"),
    [
        ([choice(), choice()], True),
        ([choice(), choice(strategy="maxn/area")], False),
        ([choice(forced=True), choice(forced=True)], False),
        ([choice(), choice(forced=True), choice()], False),
        ([choice(arm="blue"), choice(arm="green")], False),
        ([choice("colours"), choice("sizes")], False),
    ],
)
def test_only_a_game_of_one_drawn_arm_is_drawn(choices: list[Choice], drawn: bool) -> None:
    """A game is not drawn if any request named its arm, or if its arm or the arm's setup changed."""
    game = Game(MOVE)
    game.counts.add_choice(choices[0])
    for number, one in enumerate(choices):
        _moved(game, 42 + number, one, answer())
    assert game.counts.drawn is drawn
    assert game.counts.choice == choices[-1]


def test_a_strategy_that_changes_during_a_game_is_noticed() -> None:
    """A game is not drawn if its strategy was played with different code or weights; several strategies may
    take turns. The rules by which `auto` chooses count as a strategy.
    """
    one, other = PlayedStrategy("s/e", {"x": 1.0}, "1"), PlayedStrategy("s/f", {}, "2")
    before, after = PlayedStrategy("auto", {}, "r1"), PlayedStrategy("auto", {}, "r2")
    game = Game(MOVE)
    for number, rules in enumerate((before, after)):
        _moved(game, 42 + number, choice(strategy="auto"), answer(5, strategy=one, auto=rules))
    assert not game.counts.drawn and game.counts.searched == {"auto": after, "s/e": one}
    for changed, drawn in ((one, True), (replace(one, digest="3"), False)):
        game = Game(MOVE)
        for number, strategy in enumerate((one, other, changed, None)):
            _moved(game, 42 + number, choice(), answer(5, strategy=strategy))
        assert game.counts.drawn is drawn
        assert game.counts.searched == {"s/e": changed, "s/f": other}


def test_a_game_with_a_move_of_another_strategy_is_not_drawn() -> None:
    """While the arm's code is compiled, the default strategy plays for it. Other failures don't matter."""
    for is_compiling in (True, False):
        game = Game(MOVE)
        failure = Failure(grpc.StatusCode.UNAVAILABLE, "the reason", is_compiling=is_compiling)
        for number, failures in enumerate(((failure,), ())):
            _moved(game, 42 + number, choice(), replace(answer(5), failures=failures))
        assert game.counts.drawn is not is_compiling


def _comparison(played: str | None, shadowed: str | None, depth: int = 1) -> Comparison:
    """Compare a shadow of that depth and a score of 1/4 with an arm one turn shallower and a score of 1/2."""
    by_arm = MoveResult(played, 0.5, depth - 1, 10, 0.1) if played else None
    by_shadow = MoveResult(shadowed, 0.25, depth, 10, 0.1) if shadowed else None
    return Comparison(MOVE, choice(), Variant(name="next", strategy="maxn/area"), by_arm, by_shadow)


def test_a_shadow_is_tallied_where_both_found_a_move() -> None:
    """Agreement, depths and scores cover the positions for which both found a move."""
    game = Game(MOVE)
    for played, shadowed, depth in (("up", "up", 4), ("up", "left", 7), (None, "up", 9), ("up", None, 9)):
        game.add_comparison(_comparison(played, shadowed, depth))
    [(name, shadow)] = game.counts.shadows.items()
    assert (name, shadow.strategy, shadow.compared, shadow.agreed) == ("next", "maxn/area", 2, 1)
    assert (shadow.depth, shadow.score) == (4 + 7, 0.5)
    assert (shadow.played_depth, shadow.played_score) == (3 + 6, 1.0)


def test_latencies_are_those_that_the_engine_reports() -> None:
    """A request reports the latency of the previous answer, except for the first request."""
    game = Game(MOVE)
    for turn, latency in ((42, "0"), (43, "120"), (44, "80")):
        game.add_move(game.see(with_latency(turn_at(turn), latency)), choice(), answer())
    assert game.counts.latency.value == 100.0
    # The /end reports the latency of the last answer.
    ended, _ = outcome_of(game, MOVE, choice())
    assert ended.mean_latency_ms == pytest.approx((120 + 80 + MOVE.latency) / 3)


@pytest.mark.parametrize(("latency", "late"), [("499", False), ("500", True), ("501", True)])
def test_an_answer_that_took_the_whole_timeout_was_late(latency: str, late: bool) -> None:
    """Some engines report the timeout itself for an answer that they did not wait for."""
    assert Game(MOVE).was_late(with_latency(MOVE, latency)) == late


def _by(turn: Turn, version: str) -> Turn:
    ruleset = msgspec.structs.replace(turn.game.ruleset, version=version)
    return msgspec.structs.replace(turn, game=msgspec.structs.replace(turn.game, ruleset=ruleset))


@pytest.mark.parametrize(("version", "number", "last"), [("cli", 9, 8), ("cli", 0, 0), ("v1", 9, 9)])
def test_the_command_line_counts_a_turn_more(version: str, number: int, last: int) -> None:
    """Only the engine's command line does, and no turn comes before the first."""
    living, _ = Game(MOVE).see_end(_by(turn_at(number), version))
    assert living.turn == last
