"""Where the games in progress are kept, and for how long."""

import msgspec

from battlesnake_search.board import Turn
from gateway.game.games import Games
from tests.gateway.store.outcome_samples import answer, choice, recorded
from tests.support.clock import Clock

START = recorded("standard-start-0")


def _of(game: str) -> Turn:
    return msgspec.structs.replace(START, game=msgspec.structs.replace(START.game, id=game))


def _games(clock: Clock) -> Games:
    return Games(clock, lambda _event: None)


async def test_a_snake_keeps_its_game() -> None:
    """Each request finds the game that the first one has begun, also after its end."""
    games = _games(Clock())
    games.start(_of("a"), choice())
    kept = games.get(_of("a"))
    games.start(_of("b"), choice())
    with games.asking(_of("a"), choice()) as asked:
        asked.answer = answer()
    assert asked.game is kept is games.get(_of("a")) is not games.get(_of("b"))
    assert games.get(_of("c")) is None
    games.end(msgspec.structs.replace(_of("a"), turn=1), choice())
    assert games.get(_of("a")) is kept and len(games) == 2


async def test_two_snakes_of_a_game_have_a_game_each() -> None:
    """Snakes of one game are told apart by their ids."""
    games = _games(Clock())
    for snake in START.board.snakes:
        games.start(msgspec.structs.replace(START, you=snake), choice())
    assert len(games) == len(START.board.snakes) > 1


async def test_a_game_that_was_not_seen_for_an_hour_is_forgotten() -> None:
    """A snake seen recently is kept longer than one seen before it, and a pause may last the whole hour."""
    clock = Clock()
    games = _games(clock)
    began = clock.seconds
    for time, game in ((0.0, "a"), (1.0, "b"), (3000.0, "a")):
        clock.seconds = began + time
        games.start(_of(game), choice())
    for time, left in ((3601.0, 2), (3601.5, 1), (6600.0, 1), (6600.5, 0)):
        clock.seconds = began + time
        games.drop_old()
        assert len(games) == left, time


async def test_a_game_is_played_until_it_ends_or_falls_silent() -> None:
    """Some engines send no /end."""
    clock = Clock()
    games = _games(clock)
    assert games.playing == 0
    for game in ("a", "b"):
        games.start(_of(game), choice())
        with games.asking(msgspec.structs.replace(_of(game), turn=1), choice()) as asked:
            asked.answer = answer()
    assert games.playing == 2
    games.end(msgspec.structs.replace(_of("a"), turn=9), choice())
    assert games.playing == 1
    clock.seconds += 31
    assert games.playing == 0
