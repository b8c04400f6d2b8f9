"""The list of recorded games: the causes of our deaths, and the ages of games without an end."""

from dataclasses import replace

import msgspec
import pytest

from battlesnake_search.board import MOVES, Point
from console.store.library import Library
from console.store.records import GameRow, encode
from tests.console.store.game_samples import Recording, reflex, turn_at


def _lost(end: int, move: str, late: bool = False) -> Recording:
    """Return a duel of which our snake sees turn 5, dies by a move, and gets the /end of a later turn."""
    recording = Recording()
    turn = turn_at(5, "g")
    recording.asked(turn)
    recording.answered(turn, replace(reflex(late), move="up" if late else move))
    x, y = MOVES[move]
    head = turn.you.body[0]
    body = [Point(head.x + x, head.y + y), *turn.you.body[:-1]]
    others = [snake for snake in turn.board.snakes if snake.id != turn.you.id]
    last = turn_at(end, "g")
    board = msgspec.structs.replace(last.board, snakes=others)
    you = msgspec.structs.replace(last.you, body=body)
    recording.ended(msgspec.structs.replace(last, board=board, you=you))
    return recording


def _into_the_neck() -> str:
    head, neck = turn_at(5).you.body[:2]
    return next(move for move, (x, y) in MOVES.items() if (head.x + x, head.y + y) == (neck.x, neck.y))


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("end", [6, 40])
async def test_a_list_has_the_cause_of_our_death(end: int, late: bool) -> None:
    """The /end shows our last move, even if the answer was late and others played on."""
    recording = _lost(end, _into_the_neck(), late)
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


async def test_a_body_of_another_turn_explains_nothing() -> None:
    """A server may send a body that did not move, or a game of which turns were not seen."""
    recording = Recording()
    turn = turn_at(5, "g")
    recording.asked(turn)
    others = [snake for snake in turn.board.snakes if snake.id != turn.you.id]
    last = turn_at(40, "g")
    recording.ended(msgspec.structs.replace(last, board=msgspec.structs.replace(last.board, snakes=others)))
    [game] = await Library(recording.memory, None).newest(None, 10)
    assert game.deaths == []


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
