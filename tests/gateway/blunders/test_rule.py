"""The rules for blunders and for the losing turn."""

from gateway.blunders import rule
from gateway.blunders.values import TurnReview, Valued
from gateway.replay.values import Ending


def _valued(move: str, score: float) -> Valued:
    """Return a move with a score; -1 is a proven loss."""
    return Valued(move, score, 9, 400.0, Ending("loss", 7) if score == -1 else None)


def _review(turn: int, played: float, other: float) -> TurnReview:
    return rule.turn_review(turn, _valued("up", played), _valued("left", other))


def test_the_loss_is_what_another_move_would_have_saved() -> None:
    """A move costs its distance from the best other one, and nothing if it was the best itself."""
    assert _review(3, -0.2, 0.1).loss == 0.3
    assert _review(3, 0.1, -0.2).loss == 0.0
    assert _review(3, 0.0, 0.1234567).loss == 0.123457


def test_blunders_lose_a_held_game_or_much_score() -> None:
    """A blunder is decisive, or costs much; small losses and choices between lost moves are none."""
    reviews = [_review(1, 0.0, 0.1), _review(2, 0.0, 0.4), _review(3, -1, -0.9), _review(4, -1, -1)]
    assert rule.blunders(reviews) == [2, 3]
    assert [review.was_decisive for review in reviews] == [False, False, True, False]


def test_the_losing_turn_is_the_last_one_with_another_way() -> None:
    """After the losing turn every other move was a proven loss; the order of the reviews does not matter."""
    reviews = [_review(1, 0.1, 0.0), _review(3, -1, -1), _review(2, -0.6, -0.3), _review(4, -1, -1)]
    assert rule.losing_turn(reviews) == 2
    assert rule.losing_turn(reviews[1:2]) is None
    assert rule.losing_turn([]) is None


def test_a_draw_is_as_lost_as_its_score() -> None:
    """Most searches score a draw just above a loss, since the snake dies; one that counts it 0 is held."""
    draw = Ending("draw", 3)
    assert Valued("up", -0.99999, 9, 400.0, draw).is_lost
    assert not Valued("up", 0.0, 9, 400.0, draw).is_lost
    assert not Valued("up", -0.99999, 9, 400.0).is_lost


def test_a_loss_is_seen_when_it_stays_proven() -> None:
    """The loss is seen from the first of the last turns whose moves are proven losses."""
    reviews = [_review(1, -1, 0), _review(2, 0, 0), _review(3, -1, 0), _review(4, -1, -1)]
    seen = rule.first_seen(reviews)
    assert seen is not None and seen.turn == 3
    assert rule.first_seen(reviews[:2]) is None


def test_much_is_a_quarter() -> None:
    """A move that costs as much is a blunder already."""
    assert rule.blunders([_review(1, 0.0, 0.25), _review(2, 0.0, 0.2499)]) == [1]
