"""The list of recorded games: the causes of our deaths, and the ages of games without an end."""

from dataclasses import replace

import msgspec
import pytest

from battlesnake_search.board import MOVES, Point
from tests.console.store.game_samples import Recording, reflex, turn_at


async def _lose(recording: Recording, end: int, move: str, late: bool = False) -> None:
    """Record a duel of which our snake sees turn 5, dies by a move, and gets the /end of a later turn."""
    turn = turn_at(5, "g")
    await recording.started(turn)
    await recording.answered(turn, replace(reflex(late), move="up" if late else move))
    x, y = MOVES[move]
    head = turn.you.body[0]
    body = [Point(head.x + x, head.y + y), *turn.you.body[:-1]]
    others = [snake for snake in turn.board.snakes if snake.id != turn.you.id]
    last = turn_at(end, "g")
    board = msgspec.structs.replace(last.board, snakes=others)
    you = msgspec.structs.replace(last.you, body=body)
    await recording.ended(msgspec.structs.replace(last, board=board, you=you), died_late=late)


def _into_the_neck() -> str:
    head, neck = turn_at(5).you.body[:2]
    return next(move for move, (x, y) in MOVES.items() if (head.x + x, head.y + y) == (neck.x, neck.y))


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("end", [6, 40])
async def test_a_list_has_the_cause_of_our_death(recording: Recording, end: int, late: bool) -> None:
    """The /end shows our last move, even if others played on. It is told if the answer was late."""
    await _lose(recording, end, _into_the_neck(), late)
    [game] = await recording.library.newest(None, 10)
    [death] = game.deaths
    assert game.snakes[death.snake].ours and death.cause == "snake-self-collision"
    whole = await recording.game("g")
    assert [(each.cause, each.late) for each in whole.turns[-1].deaths] == [(death.cause, late)]
    assert [each.turn_in(whole.turns[-1]) for each in whole.turns[-1].deaths] == [6]
    [decision] = [each for each in whole.turns[0].decisions if each]
    assert (death.late, decision.late) == (late, late)


async def test_a_late_answer_is_told_if_another_snake_saw_the_death(recording: Recording) -> None:
    """Our second snake played on, and its boards need not show the cause. The first one's /end is later."""
    turn = turn_at(5, "g")
    others = [snake for snake in turn.board.snakes if snake.id != turn.you.id]
    await recording.started(turn)
    await recording.answered(turn)
    second = msgspec.structs.replace(turn_at(6, "g").with_board(snakes=others), you=others[0])
    await recording.answered(second)
    await recording.ended(msgspec.structs.replace(second, turn=7))
    last = msgspec.structs.replace(second, turn=7, you=turn.you)
    for _ in range(2):
        await recording.ended(last, died_late=True)
    [game] = await recording.library.newest(None, 10)
    [death] = [each for each in game.deaths if game.snakes[each.snake].id == turn.you.id]
    assert death.late
    assert [each.late for each in (await recording.game("g")).turns[1].deaths] == [True]
