"""The tallies of games in progress."""

from dataclasses import replace

import msgspec
import pytest
from gateway.game.record import outcome
from gateway.game.tally import Tallies, Tally

from battlesnake_search.translate import MoveResult, PlayedStrategy
from gateway.play.shadows import Comparison
from gateway.routes.config import Choice, Variant
from tests.gateway.store.outcome_samples import answer, choice, recorded

MOVE = recorded("standard-move-mid-42")


def _after(*turns: int) -> Tally | None:
    """Return the tally of a game after moves in these turns."""
    tallies = Tallies(lambda: 0.0)
    for turn in turns:
        tallies.move(msgspec.structs.replace(MOVE, turn=turn), choice(), answer())
    return tallies.end(MOVE)


@pytest.mark.parametrize(("turns", "unbroken"), [((42, 43, 44), True), ((42, 44), False)])
def test_a_gap_in_the_moves_is_noticed(turns: tuple[int, ...], unbroken: bool) -> None:
    """A tally is unbroken unless a move between two others is missing."""
    tally = _after(*turns)
    assert tally is not None and tally.unbroken is unbroken
    assert (tally.first_turn, tally.last_turn, tally.moves) == (42, 44, len(turns))


def test_a_game_without_a_move_has_no_gap() -> None:
    """No move is missing between its start and its end."""
    assert Tally(0, []).unbroken and not Tally(0, [], moves=1).unbroken


def test_the_end_of_a_game_ends_its_tally() -> None:
    """A second end finds no tally."""
    tallies = Tallies(lambda: 0.0)
    tallies.start(MOVE, choice())
    assert tallies.end(MOVE) is not None
    assert tallies.end(MOVE) is None


def test_a_game_that_never_ends_is_forgotten() -> None:
    """An hour after its last turn a game is dropped when another one has a turn."""
    now = 0.0
    tallies = Tallies(lambda: now)
    tallies.start(MOVE, choice())
    now = 3601.0
    tallies.start(recorded("wrapped-start-0"), choice())
    assert len(tallies) == 1 and tallies.end(MOVE) is None


def test_two_snakes_of_a_game_have_a_tally_each() -> None:
    """Snakes of one game have separate tallies, by their ids."""
    tallies = Tallies(lambda: 0.0)
    for snake in MOVE.board.snakes:
        tallies.move(msgspec.structs.replace(MOVE, you=snake), choice(), answer())
    assert len(tallies) == len(MOVE.board.snakes) > 1


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
    tallies = Tallies(lambda: 0.0)
    tallies.start(MOVE, choices[0])
    for one in choices:
        tallies.move(MOVE, one, answer())
    tally = tallies.end(MOVE)
    assert tally is not None and tally.drawn is drawn
    assert tally.choice == choices[-1]


def test_a_strategy_that_changes_during_a_game_is_noticed() -> None:
    """A game is not drawn if its strategy was played with different code or weights; several strategies may
    take turns.
    """
    one, other = PlayedStrategy("s/e", {"x": 1.0}, "1"), PlayedStrategy("s/f", {}, "2")
    for changed, drawn in ((one, True), (replace(one, digest="3"), False)):
        tallies = Tallies(lambda: 0.0)
        for strategy in (one, other, changed, None):
            tallies.move(MOVE, choice(), answer(5, strategy=strategy))
        tally = tallies.end(MOVE)
        assert tally is not None and tally.drawn is drawn
        assert tally.searched == {"s/e": changed, "s/f": other}


def test_the_rules_by_which_auto_chooses_are_part_of_a_game() -> None:
    """`auto` may choose several strategies in a drawn game, but not by other rules on the way."""
    one, other = PlayedStrategy("s/e", {}, "1"), PlayedStrategy("s/f", {}, "2")
    before, after = PlayedStrategy("auto", {}, "r1"), PlayedStrategy("auto", {}, "r2")
    for rules, drawn in ((before, True), (after, False)):
        tallies = Tallies(lambda: 0.0)
        for strategy, auto in ((one, before), (other, rules)):
            tallies.move(MOVE, choice(strategy="auto"), answer(5, strategy=strategy, auto=auto))
        tally = tallies.end(MOVE)
        assert tally is not None and tally.drawn is drawn
        assert tally.searched == {"auto": rules, "s/e": one, "s/f": other}


def _comparison(played: str | None, shadowed: str | None, depth: int = 1) -> Comparison:
    """Compare a shadow of that depth and a score of 1/4 with an arm one turn shallower and a score of 1/2."""
    by_arm = MoveResult(played, 0.5, depth - 1, 10, 0.1) if played else None
    by_shadow = MoveResult(shadowed, 0.25, depth, 10, 0.1) if shadowed else None
    return Comparison(MOVE, choice(), Variant(name="next", strategy="maxn/area"), by_arm, by_shadow)


def test_a_shadow_is_tallied_where_both_found_a_move() -> None:
    """Agreement, depths and scores cover the positions for which both found a move."""
    tallies = Tallies(lambda: 0.0)
    tallies.start(MOVE, choice())
    for played, shadowed, depth in (("up", "up", 4), ("up", "left", 7), (None, "up", 9), ("up", None, 9)):
        tallies.compare(_comparison(played, shadowed, depth))
    tally = tallies.end(MOVE)
    assert tally is not None
    [(name, shadow)] = tally.shadows.items()
    assert (name, shadow.strategy, shadow.compared, shadow.agreed) == ("next", "maxn/area", 2, 1)
    assert (shadow.depth, shadow.score) == (4 + 7, 0.5)
    assert (shadow.played_depth, shadow.played_score) == (3 + 6, 1.0)


def test_a_shadow_that_answers_after_the_end_is_too_late() -> None:
    """A late answer of a shadow doesn't create a new tally."""
    tallies = Tallies(lambda: 0.0)
    tallies.compare(_comparison("up", "up"))
    assert len(tallies) == 0


def test_latencies_are_those_that_the_engine_reports() -> None:
    """A request reports the latency of the previous answer; the first request has none."""
    tallies = Tallies(lambda: 0.0)
    for turn, latency in ((42, "0"), (43, "120"), (44, "80")):
        mine = msgspec.structs.replace(MOVE.you, latency=latency)
        others = [snake for snake in MOVE.board.snakes if snake.id != mine.id]
        board = msgspec.structs.replace(MOVE.board, snakes=[mine, *others])
        tallies.move(msgspec.structs.replace(MOVE, turn=turn, board=board), choice(), answer())
    tally = tallies.end(MOVE)
    assert tally is not None and tally.latencies == [120.0, 80.0]
    # The /end reports that of the last answer.
    assert outcome(MOVE, tally, choice()).mean_latency_ms == pytest.approx((120 + 80 + MOVE.latency) / 3)
