"""The list of recorded games: the causes of our deaths, and the ages of games without an end."""

from dataclasses import replace

import msgspec
import pytest

from battlesnake_search.board import MOVES
from gateway.store.library import Library
from gateway.store.records import GameRow, encode
from tests.gateway.store.game_samples import Recording, reflex, turn_at


def _lost(end: int, move: str) -> Recording:
    """Return a duel of which our snake sees turn 5, answers a move and gets the /end of a later turn."""
    recording = Recording()
    turn = turn_at(5, "g")
    recording.asked(turn)
    recording.answered(turn, replace(reflex(), move=move))
    others = [snake for snake in turn.board.snakes if snake.id != turn.you.id]
    board = msgspec.structs.replace(turn.board, snakes=others)
    recording.ended(msgspec.structs.replace(turn_at(end, "g"), board=board))
    return recording


def _into_the_neck() -> str:
    head, neck = turn_at(5).you.body[:2]
    return next(move for move, (x, y) in MOVES.items() if (head.x + x, head.y + y) == (neck.x, neck.y))


@pytest.mark.parametrize("end", [6, 40])
async def test_a_list_has_the_cause_of_our_death(end: int) -> None:
    """The cause is kept with the game, also if others played on after our last move."""
    recording = _lost(end, _into_the_neck())
    library = Library(recording.memory, None)
    [game] = await library.newest(None, 10)
    [death] = game.deaths
    assert game.snakes[death.snake].ours and death.cause == "snake-self-collision"
    assert [row.header for row in recording.rows if isinstance(row, GameRow)][-1] == encode(
        next(iter(recording.memory)).header
    )
    whole = await library.game("g")
    assert whole is not None
    assert [each.cause for each in whole.turns[-1].deaths] == ["snake-self-collision"]


async def test_a_silent_game_has_its_age() -> None:
    """A running game has the seconds since its last request, and a game that is over has none."""
    recording = Recording()
    recording.asked(turn_at(5, "g"))
    library = Library(recording.memory, None)
    [kept] = recording.memory
    kept.touched -= 100
    [game] = await library.newest(None, 10)
    assert game.idle_s is not None and 100 <= game.idle_s < 200
    assert (library.live, library.playing) == (1, 0)
    recording.ended(turn_at(6, "g"))
    [game] = await library.newest(None, 10)
    assert game.idle_s is None
