"""Comparisons in words."""

import pytest

from battlesnake_search.common.estimation import Estimate
from gateway.experiments.outlook import Outlook
from gateway.experiments.words import rounded, still_needed, summary

ARMS = ("new", "old")
ENOUGH = (30, 30)


def _needed(fewest: int | None, most: int | None, games_a_day: float | None) -> str:
    return still_needed(ARMS, ENOUGH, Outlook(fewest, most, games_a_day))


@pytest.mark.parametrize(
    ("difference", "decided", "words"),
    [
        (None, False, "new and old, the control, can't be compared before both have played."),
        (Estimate(0.05, -0.1, 0.2), False, "new may win anything from 10 fewer to 20 more than old,"),
        (Estimate(0.1, 0.0, 0.2), False, "anything from 0 fewer to 20 more than old"),
        (Estimate(0.1, 0.006, 0.2), False, "anything from 1 more to 20 more than old"),
        (Estimate(0.25, 0.05, 0.45), True, "new is better than old, the control: of 100 games, it wins "),
        (Estimate(0.25, 0.05, 0.45), True, "it wins about 25 more (between 5 and 45). A draw"),
        (Estimate(-0.25, -0.45, -0.05), True, "new is worse than old, the control: "),
        (Estimate(-0.25, -0.45, -0.05), True, "it wins about 25 fewer (between 5 and 45). A draw"),
    ],
)
def test_a_difference_is_told_in_games(difference: Estimate | None, decided: bool, words: str) -> None:
    """It is that in a hundred games, with its interval; the smaller end comes first."""
    assert words in summary(ARMS, difference, decided)


def test_each_arm_needs_some_games() -> None:
    """Before both have thirty, their numbers are told."""
    counts = "Each arm needs at least 30 games before anything is decided: new has 29 and old has 31."
    assert still_needed(ARMS, (29, 31), None) == counts
    assert "needs at least 30 games" not in still_needed(ARMS, ENOUGH, None)


@pytest.mark.parametrize("outlook", [None, Outlook(None, None, 5.0)])
def test_what_is_not_in_sight_is_not_guessed(outlook: Outlook | None) -> None:
    """Arms that look equally good may never be told apart."""
    assert still_needed(ARMS, ENOUGH, outlook).startswith("When a decision comes can't be told yet")


@pytest.mark.parametrize(
    ("fewest", "most", "words"),
    [
        (1, None, "a decision takes at least 1 game more. How many"),
        (2, None, "a decision takes at least 2 games more. How many"),
        (1234, None, "a decision takes at least 1,300 games more. How many"),
        (111, 4321, "a decision takes between 120 and 4,400 more games."),
    ],
)
def test_the_games_until_a_decision_are_told(fewest: int, most: int | None, words: str) -> None:
    """They are rounded up; without a most, only the fewest are known."""
    assert words in _needed(fewest, most, None)


@pytest.mark.parametrize(
    ("fewest", "most", "rate", "words"),
    [
        (1, None, 48.0, "(1 hour at 48 games a day)"),
        (24, None, 48.0, "(12 hours at 48 games a day)"),
        (38, None, 40.0, "(23 hours at 40 games a day)"),
        (1, None, 2400.0, "(1 hour at 2,400 games a day)"),
        (1, None, 1.0, "(1 day at 1 game a day)"),
        (1, None, 0.5, "(2 days at the present rate)"),
        (10, 30, 10.0, "(1 day to 3 days at 10 games a day)"),
        (30, 31, 10.0, "(3 days at 10 games a day)"),
        (1234, None, 1.0, "(1,300 days at 1 game a day)"),
    ],
)
def test_the_time_until_a_decision_is_told(fewest: int, most: int | None, rate: float, words: str) -> None:
    """It is in hours or in days, one length if both ends of a range are the same."""
    assert words in _needed(fewest, most, rate)


@pytest.mark.parametrize("rate", [None, 0.0])
def test_without_a_rate_there_is_no_time(rate: float | None) -> None:
    """Nobody knows when games come."""
    assert "(" not in _needed(10, 20, rate)


@pytest.mark.parametrize(
    ("number", "shown"), [(7, 7), (10, 10), (99, 99), (100, 100), (101, 110), (1001, 1100), (99_001, 100_000)]
)
def test_numbers_are_rounded_up_to_two_digits(number: int, shown: int) -> None:
    """More digits would promise more than is known."""
    assert rounded(number) == shown
