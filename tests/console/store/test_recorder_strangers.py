"""The recorder's bounds against a stranger who sends games of any kind."""

import msgspec

from battlesnake_search.board import Turn
from tests.console.store.game_samples import Recording, reflex, turn_at


def _shown(turn: Turn, *ids: str, you: str = "") -> Turn:
    """Return the turn with a copy of its first snake for each id, and with one of them as ours."""
    one = turn.board.snakes[0]
    snakes = [msgspec.structs.replace(one, id=each) for each in ids]
    shown = turn.with_board(snakes=snakes)
    return msgspec.structs.replace(shown, you=msgspec.structs.replace(one, id=you or ids[0]))


async def test_a_game_has_the_snakes_of_its_first_turns(recording: Recording) -> None:
    """A stranger who sends ever-new snakes, or plays as ever-new ones, adds nothing to a game."""
    await recording.started(_shown(turn_at(0, "g"), "a", "b"))
    await recording.started(_shown(turn_at(1, "g"), "a", "b", "c"))
    [kept] = recording.live
    rows = len(recording.rows)
    for number in range(50):
        stranger = _shown(turn_at(2, "g"), "a", "b", f"s{number}", you=f"s{number}")
        await recording.started(stranger)
        await recording.answered(stranger, reflex())
    await recording.started(_shown(turn_at(3, "g"), "a", "b", "late"))
    assert [snake.id for snake in kept.header.snakes] == ["a", "b", "c"]
    # The positions of turns 2 and 3, and the header with the death of c.
    assert len(recording.rows) == rows + 3
    game = await recording.game("g")
    assert [len(turn.snakes) for turn in game.turns] == [3] * 4
    assert all(len(turn.decisions) == 3 for turn in game.turns)


async def test_a_game_has_at_most_sixteen_snakes(recording: Recording) -> None:
    """This is the official engine's limit. A stranger may send more in the first turn, again and again."""
    for number in range(50):
        await recording.started(_shown(turn_at(0, "g"), *(f"s{number}-{each}" for each in range(16))))
    [kept] = recording.live
    assert len(kept.header.snakes) == 16
    assert len((await recording.game("g")).turns[0].snakes) == 16


async def test_the_same_start_again_and_again_is_kept_once(recording: Recording) -> None:
    """A snake alone in its first turn is stored like others."""
    alone = _shown(turn_at(0, "g"), "a")
    for _ in range(1000):
        await recording.started(alone)
    await recording.started(_shown(turn_at(0, "other"), "a"))
    await recording.started(_shown(turn_at(1, "g"), "a"))
    game = await recording.game("g")
    assert [turn.turn for turn in game.turns] == [0, 1]
