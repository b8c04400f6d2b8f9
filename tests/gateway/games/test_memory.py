"""The games in memory, within their bounds."""

import random
from datetime import UTC, datetime

from gateway.bodies import Settings
from gateway.games.memory import Memory
from gateway.games.records import Header, Position, encode


def _header(game: str) -> Header:
    return Header(
        id=game,
        source="recorded",
        ruleset="standard",
        version="",
        settings=Settings(),
        map="",
        width=11,
        height=11,
        timeout_ms=500,
        seen_at=datetime(2026, 1, 2, tzinfo=UTC),
        snakes=[],
    )


def _position(turn: int) -> Position:
    # Random numbers can't be compressed.
    rng = random.Random(turn)
    return Position(turn, [(rng.getrandbits(30), rng.getrandbits(30)) for _ in range(50)], [], {})


def test_records_are_read_back_in_their_order() -> None:
    """Records of compressed blocks and newer ones are read back, live or over."""
    memory = Memory(2)
    game = memory.create(_header("g"))
    positions = [_position(turn) for turn in range(100)]
    for position in positions:
        memory.add(game, encode(position))
    assert list(game.records()) == positions
    memory.close(game)
    assert list(game.records()) == positions and not game.is_live


def test_the_oldest_game_that_is_over_makes_room() -> None:
    """A game that goes on is kept longer than an older one that is over."""
    memory = Memory(2)
    memory.create(_header("live"))
    memory.close(memory.create(_header("over")))
    memory.create(_header("new"))
    assert [game.header.id for game in memory] == ["live", "new"]
    memory.create(_header("newest"))
    assert [game.header.id for game in memory] == ["new", "newest"]


def test_all_records_stay_within_a_number_of_bytes() -> None:
    """Games make room for one another, and a game that is alone for its own newest turns."""
    memory = Memory(100, max_bytes=60_000)
    for number in range(10):
        game = memory.create(_header(f"g{number}"))
        for turn in range(200):
            memory.add(game, encode(_position(turn)))
        assert sum(each.size for each in memory) <= 60_000
    assert [each.header.id for each in memory] == ["g9"]
    turns = [record.turn for record in game.records()]
    assert turns[-1] == 199 and turns[0] > 0 and turns == sorted(turns)


def test_a_game_that_goes_on_again_is_followed_anew() -> None:
    """Until its end the same turns are followed; after it there are none before the next."""
    game = Memory(1).create(_header("g"))
    followed = game.follow()
    assert game.follow() is followed
    game.close()
    assert game.following is None
    assert game.follow() is not followed
