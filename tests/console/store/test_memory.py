"""The games in memory, within their bounds."""

import random

import msgspec

from console.store.memory import Memory
from console.store.records import Position, encode
from console.store.values import GameSnake
from tests.console.store.game_samples import header_with


def _position(turn: int) -> Position:
    # Random numbers can't be compressed.
    rng = random.Random(turn)
    return Position(turn, [(rng.getrandbits(30), rng.getrandbits(30)) for _ in range(50)], [], {})


def test_records_are_read_back_in_their_order() -> None:
    """Records of compressed blocks and newer ones are read back, live or over."""
    memory = Memory(2)
    game = memory.create(header_with("g"))
    positions = [_position(turn) for turn in range(100)]
    for position in positions:
        memory.add(game, encode(position))
    assert list(game.records()) == positions
    memory.close(game)
    assert list(game.records()) == positions and not game.is_live


def test_the_oldest_game_that_is_over_makes_room() -> None:
    """A running game is kept longer than a finished game."""
    memory = Memory(2)
    memory.create(header_with("live"))
    memory.close(memory.create(header_with("over")))
    memory.create(header_with("new"))
    assert [game.header.id for game in memory] == ["live", "new"]
    memory.create(header_with("newest"))
    assert [game.header.id for game in memory] == ["new", "newest"]


def test_all_records_stay_within_a_number_of_bytes() -> None:
    """Games make room for one another, and a game that is alone for its own newest turns."""
    memory = Memory(100, max_bytes=60_000)
    for number in range(10):
        game = memory.create(header_with(f"g{number}"))
        for turn in range(200):
            memory.add(game, encode(_position(turn)))
        assert sum(each.size for each in memory) <= 60_000
    assert [each.header.id for each in memory] == ["g9"]
    turns = [record.turn for record in game.records()]
    assert turns[-1] == 199 and turns[0] > 0 and turns == sorted(turns)


def test_games_that_are_over_take_the_size_of_their_compressed_records() -> None:
    """As many running or finished games are kept as fit in the bound."""
    memory = Memory(100, max_bytes=140_000)
    for number in range(8):
        game = memory.create(header_with(f"g{number}"))
        for turn in range(10):
            memory.add(game, encode(_position(turn)))
        memory.close(game)
    assert 50_000 < sum(each.size for each in memory) < 140_000
    assert len(memory) == 8


def _filled(memory: Memory, *games: str) -> int:
    """Keep games of ten records each; return the bytes of all."""
    for name in games:
        game = memory.create(header_with(name))
        for turn in range(10):
            memory.add(game, encode(_position(turn)))
    return sum(each.size for each in memory)


def test_games_may_take_the_whole_bound() -> None:
    """The oldest makes room when there is a byte too many."""
    size = _filled(Memory(100), "a", "b")
    for bound, kept in ((size, 2), (size - 1, 1)):
        memory = Memory(100, max_bytes=bound)
        _filled(memory, "a", "b")
        assert len(memory) == kept


def test_a_game_alone_keeps_its_newest_records() -> None:
    """Even with a small bound, records are dropped only after a block is full."""
    memory = Memory(1, max_bytes=1)
    game = memory.create(header_with("g"))
    memory.add(game, encode(_position(0)))
    assert [each.turn for each in game.records()] == [0]


def test_running_games_of_few_turns_make_room_first() -> None:
    """A stranger who begins many games, or sends many snakes, drives out no game that is played."""
    memory = Memory(1000, max_bytes=300_000)
    played = memory.create(header_with("played"))
    for turn in range(20):
        played.header.turns = turn
        memory.add(played, encode(_position(turn)))
    for number in range(200):
        strange = memory.create(header_with(f"strange {number}"))
        memory.add(strange, encode(_position(0)))
        assert sum(each.size for each in memory) <= 300_000
    assert memory.get("played") is played and len(memory) < 20
    assert [record.turn for record in played.records()] == [*range(20)]


def test_the_header_counts() -> None:
    """Names, colours, heads and tails are a stranger's to choose."""
    snakes = [GameSnake(str(number), "n" * 256, "c" * 256, "h" * 256, "t" * 256) for number in range(16)]
    memory = Memory(1000, max_bytes=500_000)
    for number in range(100):
        memory.create(msgspec.structs.replace(header_with(f"g{number}"), snakes=snakes))
    assert len(memory) < 10


def test_the_end_compresses_what_is_left() -> None:
    """A finished game takes less than a running game, and a game without records no more."""
    game = Memory(1).create(header_with("g"))
    empty = game.size
    for turn in range(10):
        game.add(encode(Position(turn, [(1, 1)] * 50, [], {})))
    live = game.size
    game.close()
    assert empty < game.size < (empty + live) / 2
    assert [record.turn for record in game.records()] == [*range(10)]
    nothing = Memory(1).create(header_with("g"))
    nothing.close()
    assert nothing.size == empty and [*nothing.records()] == []


def test_a_game_that_goes_on_again_is_followed_anew() -> None:
    """Until its end the same turns are followed. After it, following begins with the next turn."""
    game = Memory(1).create(header_with("g"))
    followed = game.follow()
    assert game.follow() is followed
    game.close()
    assert game.following is None
    assert game.follow() is not followed
