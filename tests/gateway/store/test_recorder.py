"""What the recorder makes of requests, in memory."""

import msgspec
import pytest

from gateway.game.events import Abandoned, BrokenOff, Probed
from gateway.replay.values import Decision, Ending, Game
from gateway.store.feed import ALL
from gateway.store.library import Library
from tests.gateway.store.game_samples import (
    CHOICE,
    Recording,
    play,
    reflex,
    result_of,
    searched,
    turn_at,
    with_latency,
)
from tests.gateway.store.outcome_samples import OUTCOME, recorded


async def _game(recording: Recording, game: str) -> Game:
    found = await Library(recording.memory, None).game(game)
    assert found is not None
    return found


async def test_a_game_has_its_turns_and_what_was_thought_of_them() -> None:
    """Each position is kept before its answer, and each decision with all that the searcher has reported."""
    recording = Recording()
    play(recording, range(3), "g")
    game = await _game(recording, "g")
    turn = turn_at(1)
    assert [each.turn for each in game.turns] == [0, 1, 2, 3]
    assert [(snake.id, snake.ours) for snake in game.snakes] == [
        (snake.id, snake.id == turn.you.id) for snake in turn.board.snakes
    ]
    board = game.turns[1]
    assert board.food == [(point.x, point.y) for point in turn.board.food]
    bodies = [snake.body for snake in board.snakes if snake]
    assert bodies == [[(point.x, point.y) for point in snake.body] for snake in turn.board.snakes]
    ours = [snake.id for snake in game.snakes].index(turn.you.id)
    decision = board.decisions[ours]
    assert decision is not None
    _check_decision(decision, [snake.id for snake in game.snakes], [turn.board.snakes[n].id for n in (0, 1)])
    assert game.turns[3].decisions == [None] * len(game.snakes)


def _check_decision(decision: Decision, snakes: list[str], expected: list[str]) -> None:
    assert (decision.move, decision.source, decision.late) == ("up", "search", False)
    assert (decision.strategy, decision.depth, decision.nodes) == ("paranoid/area", 9, 1000)
    assert (decision.evaluations, decision.score, decision.stop) == (500, 0.25, "solved")
    assert (decision.time_ms, decision.budget_ms, decision.left_ms) == (380.0, 420.0, 100.0)
    assert [(each.move, each.exact) for each in decision.moves] == [("up", True), ("left", False)]
    assert decision.moves[1].outcome == Ending("loss", 3) and decision.outcome is None
    first, second = (snakes.index(snake) for snake in expected)
    assert (decision.pv[0][first], decision.pv[0][second]) == ("up", "left")
    assert (decision.pv[1][first], decision.pv[1][second]) == ("left", None)


async def test_the_looks_and_the_arm_are_kept() -> None:
    """Snakes have the colours of the request; ours has what the routes chose for it."""
    recording = Recording()
    recording.started(recorded("standard-start-0"))
    [kept] = recording.memory
    ours = next(snake for snake in kept.header.snakes if snake.ours)
    assert (ours.arm, ours.strategy, ours.experiment) == ("main", "paranoid/area", "default")
    assert all(snake.color.startswith("#") for snake in kept.header.snakes)


async def test_a_reflex_has_no_search() -> None:
    """What only a search knows is None, and an answer after the timeout is late."""
    recording = Recording()
    turn = turn_at(4, "g")
    recording.asked(turn)
    recording.answered(turn, reflex(late=True))
    [board] = (await _game(recording, "g")).turns
    [decision] = [each for each in board.decisions if each]
    assert (decision.source, decision.late, decision.left_ms) == ("reflex", True, -100.0)
    assert (decision.depth, decision.score, decision.stop, decision.moves) == (None, None, None, [])


async def test_an_answer_that_the_engine_calls_late_is_late() -> None:
    """The latency of the next turn tells that an answer came too late, also to those who follow the game."""
    recording = Recording()
    first, second = turn_at(4, "g"), with_latency(turn_at(5, "g"), "500")
    with recording.feed.reading("g") as reader:
        recording.asked(first)
        recording.answered(first, searched(first))
        recording.asked(second)
        events = [await reader.next(1) for _ in range(4)]
    decisions = (await _game(recording, "g")).turns[0].decisions
    assert [each.late for each in decisions if each] == [True]
    names = [event.split(b"\n")[0] for event in events]
    assert names == [b"event: turn", b"event: decision", b"event: decision", b"event: turn"]
    assert b'"late":false' in events[1] and b'"late":true' in events[2] and b'"turn":4' in events[2]


async def test_two_snakes_of_ours_share_a_game() -> None:
    """Each turn has one board and the decisions of both, and the game ends once."""
    recording = Recording()
    turn = turn_at(7, "g")
    other = next(snake for snake in turn.board.snakes if snake.id != turn.you.id)
    theirs = type(turn)(turn.game, turn.board, other, turn.turn)
    with recording.feed.reading(ALL) as reader:
        for each in (turn, theirs):
            recording.asked(each)
            recording.answered(each, searched(each))
        for each in (turn, theirs):
            recording.ended(each)
        events = [await reader.next(0.01) for _ in range(4)]
    game = await _game(recording, "g")
    assert len(game.turns) == 1 and sum(decision is not None for decision in game.turns[0].decisions) == 2
    assert sum(snake.ours for snake in game.snakes) == 2
    assert [event.split(b"\n")[0] for event in events] == [
        b"event: start",
        b"event: turn",
        b"event: end",
        b": nothing new",
    ]


async def test_the_end_names_the_winner() -> None:
    """The only snake that is left has won; if nobody is left, it is a draw."""
    recording = Recording()
    end = recorded("standard-end-86")
    recording.started(recorded("standard-start-0"))
    recording.ended(msgspec.structs.replace(end, turn=85))
    [kept] = recording.memory
    game = await _game(recording, kept.header.id)
    [left] = end.board.snakes
    assert game.over and game.result is not None and game.result.turns == 85
    assert game.result.winner is not None and game.snakes[game.result.winner].id == left.id


async def test_a_game_of_one_snake_has_no_winner() -> None:
    """Whoever plays alone wins against nobody, even if alive at the end."""
    recording = Recording()
    turn = turn_at(5, "g", "solo-move-mid-16")
    recording.asked(turn)
    recording.ended(turn)
    game = await _game(recording, "g")
    assert game.over and game.result is not None and game.result.winner is None


async def test_a_game_whose_engine_is_silent_counts_as_over() -> None:
    """When one snake's requests have ceased, the game is over unless another one of ours still plays."""
    recording = Recording()
    with recording.feed.reading("old") as reader:
        for name in ("old", "new"):
            recording.asked(turn_at(1, name))
        old, new = recording.memory
        old.touched -= 301
        new.touched -= 200
        for name in ("old", "new", "unknown"):
            recording.recorder.take(Abandoned(name, None))
        assert new.is_live and not old.is_live
        assert [(await reader.next(1)).split(b"\n")[0] for _ in range(2)] == [b"event: turn", b"event: end"]
    assert (await _game(recording, "old")).result is None


async def test_a_record_that_fails_is_counted_and_the_next_is_kept() -> None:
    """The fault is passed on to be logged."""
    recording = Recording()
    with pytest.raises(AttributeError):
        recording.asked(msgspec.structs.replace(turn_at(1, "bad"), board=None))
    recording.asked(turn_at(1, "g"))
    assert recording.metrics.lost_records == 1
    assert [kept.header.id for kept in recording.memory] == ["g"]


def test_the_result_of_a_sample_is_a_searchers() -> None:
    """The sample has every field that is recorded."""
    result = result_of(turn_at(1))
    assert result.root_moves and result.principal_variation and result.evaluations


async def test_a_check_of_the_snake_leaves_nothing_behind() -> None:
    """Until a snake alone moves, its first turn may be a check, which is no game."""
    recording = Recording()
    probe = turn_at(0, "probe", "solo-start-0")
    recording.started(probe)
    recording.asked(probe)
    recording.answered(probe, searched(turn_at(0, "probe")))
    recording.recorder.take(Probed(probe, CHOICE))
    assert len(recording.memory) == 0 and recording.rows == []


async def test_a_game_of_one_snake_is_recorded_from_its_first_turn() -> None:
    """What was held back while it might have been a check is recorded with the next turn."""
    recording = Recording()
    for number in (0, 1):
        turn = turn_at(number, "solo", "solo-start-0")
        recording.asked(turn)
        recording.answered(turn, reflex())
    game = await _game(recording, "solo")
    assert [turn.turn for turn in game.turns] == [0, 1]
    assert all(turn.decisions[0] for turn in game.turns)


async def test_of_a_game_played_again_both_courses_are_kept() -> None:
    """The first one gets another id and is over; the second one has its own turns alone."""
    recording = Recording()
    for number in range(4):
        recording.asked(turn_at(number, "g"))
    for _ in range(2):
        # Another snake of ours may have played in it.
        recording.recorder.take(BrokenOff("g", "g~1", OUTCOME))
    recording.asked(turn_at(0, "g"))
    first, second = await _game(recording, "g~1"), await _game(recording, "g")
    assert ([turn.turn for turn in first.turns], first.over) == ([0, 1, 2, 3], True)
    assert ([turn.turn for turn in second.turns], second.over) == ([0], False)
    assert first.id == "g~1"


async def test_an_answer_after_the_end_does_not_open_the_game_again() -> None:
    """It is kept with its turn, and the game stays over."""
    recording = Recording()
    recording.asked(turn_at(1, "g"))
    recording.ended(turn_at(2, "g"))
    recording.answered(turn_at(1, "g"), reflex())
    [kept] = recording.memory
    assert not kept.is_live and kept.header.ended_at is not None
    assert any((await _game(recording, "g")).turns[0].decisions)
