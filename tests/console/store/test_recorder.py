"""The recorder: what is kept of the events of games."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from battlesnake_search.board import Turn
from battlesnake_search.record.events import Abandoned, Answered, Ended, Started
from console.store.feed import ALL
from console.store.records import GameRow
from console.store.values import Decision, Ending
from tests.console.store.game_samples import (
    ARM,
    Recording,
    play,
    reflex,
    searched,
    turn_at,
    with_latency,
)
from tests.console.store.outcome_samples import OUTCOME, recorded


async def test_a_game_has_its_turns_and_what_was_thought_of_them(recording: Recording) -> None:
    """Each position is kept before its answer, and each decision with all that the searcher has reported."""
    await play(recording, range(3), "g")
    game = await recording.game("g")
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


async def test_an_answer_that_the_engine_calls_late_is_late(recording: Recording) -> None:
    """The latency of the next turn shows that an answer was late, also to readers of the live game."""
    first, second = turn_at(4, "g"), with_latency(turn_at(5, "g"), "500")
    with recording.feed.reading("g") as reader:
        await recording.started(first)
        await recording.answered(first, searched(first))
        await recording.started(second)
        events = [await reader.next(1) for _ in range(4)]
    decisions = (await recording.game("g")).turns[0].decisions
    assert [each.late for each in decisions if each] == [True]
    names = [event.split(b"\n")[0] for event in events]
    assert names == [b"event: turn", b"event: decision", b"event: decision", b"event: turn"]
    assert b'"late":false' in events[1] and b'"late":true' in events[2] and b'"turn":4' in events[2]


async def test_two_snakes_of_ours_share_a_game(recording: Recording) -> None:
    """Each turn has one board and the decisions of both, and the game ends once."""
    turn = turn_at(7, "g")
    other = next(snake for snake in turn.board.snakes if snake.id != turn.you.id)
    theirs = type(turn)(turn.game, turn.board, other, turn.turn)
    with recording.feed.reading(ALL) as reader:
        for each in (turn, theirs):
            await recording.started(each)
            await recording.answered(each, searched(each))
        for each in (turn, theirs):
            await recording.ended(each)
        events = [await reader.next(0.01) for _ in range(4)]
    game = await recording.game("g")
    assert len(game.turns) == 1 and sum(decision is not None for decision in game.turns[0].decisions) == 2
    assert sum(snake.ours for snake in game.snakes) == 2
    assert [event.split(b"\n")[0] for event in events] == [
        b"event: start",
        b"event: turn",
        b"event: end",
        b": nothing new",
    ]


async def test_a_game_whose_engine_is_silent_counts_as_over(recording: Recording) -> None:
    """When one snake's requests have ceased, the game is over unless another one of ours still plays."""
    with recording.feed.reading("old") as reader:
        for name in ("old", "new"):
            await recording.started(turn_at(1, name))
        old, new = recording.live
        old.touched -= 301
        new.touched -= 200
        for name in ("old", "new", "unknown"):
            await recording.take(Abandoned(name, None))
        assert recording.library.is_live("new") and not recording.library.is_live("old")
        assert [(await reader.next(1)).split(b"\n")[0] for _ in range(2)] == [b"event: turn", b"event: end"]
    assert (await recording.game("old")).result is None


async def test_events_that_come_late_keep_their_times(recording: Recording) -> None:
    """The console was away: the times of a game are those of its events, and an abandoned game is closed."""
    began = datetime.now(UTC) - timedelta(minutes=20)
    times = [began + timedelta(seconds=seconds) for seconds in (0, 1, 302)]
    for game in ("over", "left"):
        await recording.take(Started(turn_at(1, game), ARM, time=times[0]))
        await recording.take(Answered(turn_at(2, game), ARM, reflex(), time=times[1]))
    await recording.take(Ended(turn_at(3, "over"), ARM, OUTCOME, time=times[2]))
    await recording.take(Abandoned("left", None, time=times[2]))
    assert len(recording.live) == 0
    over, left = await recording.header("over"), await recording.header("left")
    assert (over.seen_at, over.ended_at) == (times[0], times[2])
    assert (left.seen_at, left.ended_at) == (times[0], None)


async def test_a_game_without_events_for_an_hour_is_closed(recording: Recording) -> None:
    """Its gateway may be gone. A game with a newer event stays live."""
    for game, minutes in (("old", 61), ("new", 59)):
        time = datetime.now(UTC) - timedelta(minutes=minutes)
        await recording.take(Started(turn_at(1, game), ARM, time=time))
    changes = await recording.recorder.close_silent()
    assert [game.header.id for game in recording.live] == ["new"]
    assert [item.game_id for item in changes.items if isinstance(item, GameRow)] == ["old"]
    assert (ALL, "end", {"game": "old"}) in changes.news


async def test_a_late_event_of_another_snake_leaves_the_game_over(recording: Recording) -> None:
    """The other snake is marked as ours. The end and its winner stay."""
    await recording.started(turn_at(1, "g"))
    last = turn_at(2, "g")
    await recording.ended(last.with_board(snakes=last.board.snakes[:1]))
    before = await recording.header("g")
    await recording.started(_by(turn_at(1, "g"), 0))
    header = await recording.header("g")
    assert sum(snake.ours for snake in header.snakes) == 2
    assert (header.ended_at, header.winner) == (before.ended_at, before.winner)
    assert header.ended_at is not None and header.winner and not recording.library.is_live("g")


def _by(turn: Turn, number: int) -> Turn:
    """Return the turn as another snake of the board receives it, or one that is not on the board."""
    snakes = turn.board.snakes
    you = snakes[number] if number < len(snakes) else msgspec.structs.replace(turn.you, id="stranger")
    return msgspec.structs.replace(turn, you=you)


async def test_a_death_is_written_with_its_turn(recording: Recording) -> None:
    """A console that starts in the middle of a game knows it, too, and lists it once."""
    turn = turn_at(5, "g")
    dead = turn.board.snakes[1]
    starved = [
        msgspec.structs.replace(each, health=1) if each == dead else each for each in turn.board.snakes
    ]
    turn = turn.with_board(snakes=starved, food=[])
    left = [each for each in turn.board.snakes if each.id != dead.id]
    after = msgspec.structs.replace(turn, turn=6).with_board(snakes=left)
    for sent in (turn, after):
        await recording.started(sent)
    other = Recording(recording.store)
    for sent in (turn, after, msgspec.structs.replace(after, turn=7)):
        await other.started(sent)
    for each in (recording, other):
        assert [fallen.snake for fallen in (await each.header("g")).deaths] == [dead.id]


@pytest.mark.parametrize("left", [0, 2])
async def test_a_game_without_a_single_survivor_has_no_winner(recording: Recording, left: int) -> None:
    """Either all snakes are dead, or the engine has ended the game before it was decided."""
    end = turn_at(9, "g")
    board = msgspec.structs.replace(end.board, snakes=end.board.snakes[:left])
    await recording.started(recorded("standard-start-0"))
    await recording.started(turn_at(8, "g"))
    await recording.ended(msgspec.structs.replace(end, board=board))
    header = await recording.header("g")
    assert header.ended_at is not None and header.winner is None


async def test_the_newest_two_turns_are_followed(recording: Recording) -> None:
    """The engine reports an answer in the next turn. Older turns are only in the records."""
    for number in range(5):
        await recording.started(turn_at(number, "g"))
    game = recording.live.get("g")
    assert game is not None
    assert [number for number in range(6) if game.following.at(number)] == [3, 4]
