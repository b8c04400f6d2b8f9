"""The rules by which turns of a review are called blunders, and one of them the losing turn."""

from collections.abc import Iterable

from gateway.blunders.values import TurnReview, Valued

MUCH = 0.25
"""The loss of score from which a move is a blunder; scores go from -1 to 1."""


def turn_review(turn: int, played: Valued, other: Valued) -> TurnReview:
    """Compare the played move with the best of the others."""
    loss = max(0.0, other.score - played.score)
    return TurnReview(turn, played, other, round(loss, 6), played.is_lost and not other.is_lost)


def blunders(reviews: Iterable[TurnReview]) -> list[int]:
    """Return the turns whose move lost a game that another one held, or cost much score, in order."""
    return sorted(review.turn for review in reviews if review.was_decisive or review.loss >= MUCH)


def losing_turn(reviews: Iterable[TurnReview]) -> int | None:
    """Return the last turn in which a move other than the played one was no proven loss; None without one.

    That is for a lost game, in which the played move is known to have lost whether its search proves it or
    not.
    """
    return max((review.turn for review in reviews if not review.other.is_lost), default=None)


def first_seen(reviews: Iterable[TurnReview]) -> TurnReview | None:
    """Return the first of the last turns whose played moves are all proven losses; None without one."""
    seen = None
    for review in sorted(reviews, key=lambda review: review.turn, reverse=True):
        if not review.played.is_lost:
            break
        seen = review
    return seen
