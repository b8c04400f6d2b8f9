"""State per snake of the games in progress."""

import msgspec
from gateway.game.per_snake import PerSnake

from battlesnake_search.board import Turn
from tests.gateway.store.outcome_samples import recorded

START = recorded("standard-start-0")


def _of(game: str) -> Turn:
    return msgspec.structs.replace(START, game=msgspec.structs.replace(START.game, id=game))


def _states(clock: list[float]) -> PerSnake[list[str]]:
    return PerSnake(lambda turn: [turn.game.id], lambda: clock[0], longest_pause=10.0)


def test_a_snake_keeps_its_state() -> None:
    """Each turn gets the same state until the game is over."""
    states = _states([0.0])
    kept = states.get_or_create(_of("a"))
    kept.append("more")
    assert states.get_or_create(_of("a")) is kept and states.get_or_create(_of("b")) == ["b"]
    assert states.get(_of("a")) is kept and states.get(_of("c")) is None
    assert states.pop(_of("a")) is kept and states.pop(_of("a")) is None
    assert len(states) == 1


def test_the_least_recently_seen_is_dropped_first() -> None:
    """A snake seen recently is kept longer than one seen before it."""
    clock = [0.0]
    states = _states(clock)
    for time, game in ((0.0, "a"), (1.0, "b"), (9.0, "a"), (12.0, "c")):
        clock[0] = time
        states.get_or_create(_of(game))
    assert len(states) == 2 and states.pop(_of("b")) is None


def test_a_pause_may_be_as_long_as_the_longest() -> None:
    """A snake is dropped after the longest pause, not at its end."""
    clock = [0.0]
    states = _states(clock)
    for time, number in ((0.0, 1), (10.0, 2), (10.5, 2)):
        clock[0] = time
        states.get_or_create(_of(str(time)))
        assert len(states) == number
