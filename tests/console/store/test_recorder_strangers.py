"""The recorder's bounds against a stranger who sends games of any kind."""

import msgspec

from battlesnake_search.board import Point, Turn
from console.store.library import Library
from console.store.values import Game
from tests.console.store.game_samples import Recording, reflex, turn_at


async def _game(recording: Recording, game: str) -> Game:
    found = await Library(recording.memory, None).game(game)
    assert found is not None
    return found


def _shown(turn: Turn, *ids: str, you: str = "") -> Turn:
    """Return the turn with a copy of its first snake for each id, and with one of them as ours."""
    one = turn.board.snakes[0]
    snakes = [msgspec.structs.replace(one, id=each) for each in ids]
    shown = turn.with_board(snakes=snakes)
    return msgspec.structs.replace(shown, you=msgspec.structs.replace(one, id=you or ids[0]))


async def test_a_game_has_the_snakes_of_its_first_turns() -> None:
    """A stranger who sends ever-new snakes, or plays as ever-new ones, adds nothing to a game."""
    recording = Recording()
    recording.started(_shown(turn_at(0, "g"), "a", "b"))
    recording.asked(_shown(turn_at(1, "g"), "a", "b", "c"))
    [kept] = recording.memory
    rows = len(recording.rows)
    for number in range(50):
        stranger = _shown(turn_at(2, "g"), "a", "b", f"s{number}", you=f"s{number}")
        recording.asked(stranger)
        recording.answered(stranger, reflex())
    recording.asked(_shown(turn_at(3, "g"), "a", "b", "late"))
    assert [snake.id for snake in kept.header.snakes] == ["a", "b", "c"]
    # The positions of turns 2 and 3 alone.
    assert len(recording.rows) == rows + 2
    game = await _game(recording, "g")
    assert [len(turn.snakes) for turn in game.turns] == [3] * 4
    assert all(len(turn.decisions) == 3 for turn in game.turns)


async def test_a_game_has_at_most_sixteen_snakes() -> None:
    """This is the official engine's limit. A stranger may send more in the first turn, again and again."""
    recording = Recording()
    for number in range(50):
        recording.started(_shown(turn_at(0, "g"), *(f"s{number}-{each}" for each in range(16))))
    [kept] = recording.memory
    assert len(kept.header.snakes) == 16
    assert len((await _game(recording, "g")).turns[0].snakes) == 16


async def test_the_same_start_again_and_again_is_kept_once() -> None:
    """A snake alone in its first turn may be a check of the snake, so its events wait within bounds."""
    recording = Recording()
    alone = _shown(turn_at(0, "g"), "a")
    for _ in range(1000):
        recording.started(alone)
    recording.started(_shown(turn_at(0, "other"), "a"))
    recording.asked(_shown(turn_at(1, "g"), "a"))
    game = await _game(recording, "g")
    assert [turn.turn for turn in game.turns] == [0, 1]


async def test_held_back_turns_are_bounded_in_bytes() -> None:
    """Of many games with large first turns, the newest ones are kept until their second turns."""
    recording = Recording()
    large = _shown(turn_at(0, "g"), "a").with_board(hazards=[Point(1, 1)] * 4000)
    for number in range(100):
        game = msgspec.structs.replace(large.game, id=f"g{number}")
        recording.started(msgspec.structs.replace(large, game=game))
    for number in (0, 99):
        recording.asked(_shown(turn_at(1, f"g{number}"), "a"))
    assert [turn.turn for turn in (await _game(recording, "g0")).turns] == [1]
    assert [turn.turn for turn in (await _game(recording, "g99")).turns] == [0, 1]
