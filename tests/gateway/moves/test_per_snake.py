"""What is kept of the snakes now playing."""

import msgspec

from gateway.bodies import Turn
from gateway.moves.per_snake import Playing
from tests.gateway.outcomes.endings import recorded

START = recorded("standard-start-0")


def _of(game: str) -> Turn:
    return msgspec.structs.replace(START, game=msgspec.structs.replace(START.game, id=game))


def _playing(clock: list[float]) -> Playing[list[str]]:
    return Playing(lambda turn: [turn.game.id], lambda: clock[0], longest_pause=10.0)


def test_a_snake_keeps_what_was_made_for_it() -> None:
    """The same thing is given on each turn, until the game is over."""
    playing = _playing([0.0])
    kept = playing.recall(_of("a"))
    kept.append("more")
    assert playing.recall(_of("a")) is kept and playing.recall(_of("b")) == ["b"]
    assert playing.known(_of("a")) is kept and playing.known(_of("c")) is None
    assert playing.forget(_of("a")) is kept and playing.forget(_of("a")) is None
    assert len(playing) == 1


def test_the_longest_unseen_goes_first() -> None:
    """A snake that was seen lately outlives one that was seen before it."""
    clock = [0.0]
    playing = _playing(clock)
    for time, game in ((0.0, "a"), (1.0, "b"), (9.0, "a"), (12.0, "c")):
        clock[0] = time
        playing.recall(_of(game))
    assert len(playing) == 2 and playing.forget(_of("b")) is None
