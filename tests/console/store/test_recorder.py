"""The recorders: the kept parts of games, in memory and as rows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import msgspec
import pytest

from battlesnake_search.board import Turn
from battlesnake_search.record.events import Abandoned, BrokenOff, PlayedArm, Probed
from console.store.feed import ALL
from console.store.library import Library
from console.store.recorder import decision_of, header_of, own, position_of, snake_of
from console.store.records import IMPORTED, RECORDED, GameRow, RootMove, decode_header
from console.store.values import Decision, Ending, Game, GameSnake
from tests.console.store.game_samples import (
    Recording,
    play,
    reflex,
    result_of,
    searched,
    turn_at,
    with_latency,
)
from tests.console.store.outcome_samples import OUTCOME, recorded, turn_of
from tests.gateway.scripted_searcher import body


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
    """Snakes have the colours of the request, and ours has the choice of the routes."""
    recording = Recording()
    recording.started(recorded("standard-start-0"))
    [kept] = recording.memory
    ours = next(snake for snake in kept.header.snakes if snake.ours)
    assert (ours.arm, ours.strategy, ours.experiment) == ("main", "paranoid/area", "default")
    assert all(snake.color.startswith("#") for snake in kept.header.snakes)


async def test_a_reflex_has_no_search() -> None:
    """The fields of a search are None, and an answer after the timeout is late."""
    recording = Recording()
    turn = turn_at(4, "g")
    recording.asked(turn)
    recording.answered(turn, reflex(late=True))
    [board] = (await _game(recording, "g")).turns
    [decision] = [each for each in board.decisions if each]
    assert (decision.source, decision.late, decision.left_ms) == ("reflex", True, -100.0)
    assert (decision.depth, decision.score, decision.stop, decision.moves) == (None, None, None, [])


async def test_an_answer_that_the_engine_calls_late_is_late() -> None:
    """The latency of the next turn shows that an answer was late, also to readers of the live game."""
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
    """The only survivor has won. Without a survivor, it is a draw."""
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
    """A snake alone has no opponent, so it does not win even if it survives."""
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
    assert recording.metrics.records.lost == 1
    assert [kept.header.id for kept in recording.memory] == ["g"]


def test_the_result_of_a_sample_is_a_searchers() -> None:
    """The sample has every field that is recorded."""
    result = result_of(turn_at(1))
    assert result.root_moves and result.principal_variation and result.evaluations


async def test_a_check_of_the_snake_leaves_nothing_behind() -> None:
    """Until a snake alone moves, its first turn may be a check and not a game."""
    recording = Recording()
    probe = turn_at(0, "probe", "solo-start-0")
    recording.started(probe)
    recording.asked(probe)
    recording.answered(probe, searched(turn_at(0, "probe")))
    recording.recorder.take(Probed(probe.game.id))
    assert len(recording.memory) == 0 and recording.rows == []


async def test_a_game_of_one_snake_is_recorded_from_its_first_turn() -> None:
    """The held first turn is recorded with the next turn."""
    recording = Recording()
    for number in (0, 1):
        turn = turn_at(number, "solo", "solo-start-0")
        recording.asked(turn)
        recording.answered(turn, reflex())
    game = await _game(recording, "solo")
    assert [turn.turn for turn in game.turns] == [0, 1]
    assert all(turn.decisions[0] for turn in game.turns)


async def test_both_courses_of_a_repeated_game_are_kept() -> None:
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


def _by(turn: Turn, number: int) -> Turn:
    """Return the turn as another snake of the board receives it, or one that is not on the board."""
    snakes = turn.board.snakes
    you = snakes[number] if number < len(snakes) else msgspec.structs.replace(turn.you, id="stranger")
    return msgspec.structs.replace(turn, you=you)


class _Rows:
    """A recorder that takes events in order, and returns the rows of each event."""

    def __init__(self) -> None:
        self.recording = Recording()

    @contextmanager
    def of(self) -> Iterator[list[str]]:
        """Yield a list that has the kinds of the rows of the block when it has ended."""
        kinds: list[str] = []
        before = len(self.recording.rows)
        yield kinds
        kinds += ["game" if isinstance(row, GameRow) else "record" for row in self.recording.rows[before:]]


async def test_a_header_is_written_when_it_has_changed() -> None:
    """It changes with the first request of each snake of ours, with the end, and if the game continues."""
    rows = _Rows()
    turn = turn_at(1, "g")
    requests: Sequence[tuple[Turn, str, list[str]]] = [
        (_by(turn, 0), "asked", ["game", "record"]),
        (_by(turn, 0), "answered", ["record"]),
        (_by(turn, 1), "asked", ["game"]),
        (_by(turn, 1), "asked", []),
        (_by(turn_at(2, "g"), 0), "asked", ["record"]),
        (_by(turn_at(2, "g"), 99), "asked", ["game"]),
        (_by(turn_at(4, "g"), 0), "end", ["record", "game"]),
        (_by(turn_at(4, "g"), 1), "end", ["game"]),
        (_by(turn_at(5, "g"), 0), "asked", ["game", "record"]),
    ]
    for sent, kind, expected in requests:
        with rows.of() as kinds:
            if kind == "answered":
                rows.recording.answered(sent, searched(sent))
            else:
                (rows.recording.asked if kind == "asked" else rows.recording.ended)(sent)
        assert kinds == expected, (sent.turn, kind)
    [kept] = rows.recording.memory
    assert kept.header.ended_at is None and kept.is_live


async def test_a_game_of_which_only_the_end_is_seen_is_written_once() -> None:
    """Its header is written with the end."""
    rows = _Rows()
    with rows.of() as kinds:
        rows.recording.ended(turn_at(4, "g"))
    assert kinds == ["record", "game"]
    assert isinstance(rows.recording.rows[-1], GameRow)
    assert decode_header(rows.recording.rows[-1].header).ended_at is not None


@pytest.mark.parametrize("left", [0, 2])
async def test_a_game_without_a_single_survivor_has_no_winner(left: int) -> None:
    """Either all snakes are dead, or the engine has ended the game before it was decided."""
    recording = Recording()
    end = turn_at(9, "g")
    board = msgspec.structs.replace(end.board, snakes=end.board.snakes[:left])
    recording.started(recorded("standard-start-0"))
    recording.asked(turn_at(8, "g"))
    recording.ended(msgspec.structs.replace(end, board=board))
    game = recording.memory.get("g")
    assert game is not None and game.header.ended_at is not None and game.header.winner is None


async def test_the_last_snake_of_a_duel_has_won() -> None:
    """Two snakes are enough for a winner."""
    recording = Recording()
    turn = turn_at(8, "g")
    duel = msgspec.structs.replace(turn.board, snakes=turn.board.snakes[:2])
    end = msgspec.structs.replace(turn.board, snakes=turn.board.snakes[1:2])
    recording.asked(_by(msgspec.structs.replace(turn, board=duel), 0))
    recording.ended(_by(msgspec.structs.replace(turn, board=end, turn=9), 0))
    game = recording.memory.get("g")
    assert game is not None and game.header.winner == turn.board.snakes[1].id


async def test_the_newest_two_turns_are_followed() -> None:
    """The engine reports an answer in the next turn. Older turns are only in the records."""
    recording = Recording()
    for number in range(5):
        recording.asked(turn_at(number, "g"))
    game = recording.memory.get("g")
    assert game is not None and game.following is not None
    assert [number for number in range(6) if game.following.at(number)] == [3, 4]


TURN = turn_at(42)


def test_a_header_has_what_stays() -> None:
    """It has the rules, the board and the snakes of the first turn, and the arm."""
    header = header_of(TURN)
    assert (header.id, header.source, header.ruleset) == (TURN.game.id, RECORDED, "standard")
    assert (header.width, header.height, header.timeout_ms, header.map) == (11, 11, 500, TURN.game.map)
    assert [snake.id for snake in header.snakes] == [snake.id for snake in TURN.board.snakes]
    assert (header.settings, header.version) == (TURN.game.ruleset.settings, TURN.game.ruleset.version)
    assert (header.turns, header.ended_at, header.winner) == (0, None, None)
    assert header_of(TURN, IMPORTED).source == IMPORTED


def test_looks_are_read_as_far_as_they_are_valid() -> None:
    """Invalid looks do not cost the game."""
    sent = body()
    for raw, looks in (
        ({"color": "#123456", "head": "fang", "tail": "bolt"}, ("#123456", "fang", "bolt")),
        ({"head": "fang"}, ("", "fang", "")),
        ({"color": [], "tail": None, "head": "fang"}, ("", "fang", "")),
        ("red", ("", "", "")),
    ):
        sent["board"]["snakes"][0]["customizations"] = raw
        snake = turn_of(sent).board.snakes[0]
        seen = snake_of(snake)
        assert (seen.id, seen.name, seen.ours) == (snake.id, snake.name, False)
        assert (seen.color, seen.head, seen.tail) == looks


def test_our_snakes_have_what_the_routes_chose() -> None:
    """That is the arm, its strategy and the experiment."""
    ours = own(GameSnake("a", "b", "#123456"), PlayedArm("colours", "blue", "maxn/area"))
    assert ours == GameSnake("a", "b", "#123456", "", "", True, "maxn/area", "colours", "blue")
    assert own(GameSnake("a", "b"), PlayedArm("", "main", "")).strategy == ""


def test_a_position_has_the_board() -> None:
    """Bodies, health and latencies are from the turn."""
    turn = with_latency(TURN, "87")
    position = position_of(turn)
    assert position.turn == 42
    assert position.food == [(point.x, point.y) for point in turn.board.food]
    assert position.hazards == [(point.x, point.y) for point in turn.board.hazards]
    for snake in turn.board.snakes:
        standing = position.snakes[snake.id]
        assert standing.body == [(point.x, point.y) for point in snake.body]
        assert (standing.health, standing.latency) == (snake.health, snake.milliseconds)
    assert position.snakes[turn.you.id].latency == 87.0


def test_a_decision_without_a_search_has_its_times() -> None:
    """It has its times in milliseconds and the strategy that was to play."""
    decided = decision_of(TURN, reflex(late=True))
    assert (decided.turn, decided.snake, decided.move) == (42, TURN.you.id, "down")
    assert (decided.source, decided.strategy) == ("reflex", "paranoid/area")
    assert (decided.time, decided.budget, decided.left) == (600.0, 420.0, -100.0)
    assert (decided.depth, decided.score, decided.moves, decided.pv) == (None, None, [], {})


def test_a_search_has_what_it_found() -> None:
    """The time is the search's own; moves have their proven ends, and expected ones a letter each."""
    decided = decision_of(TURN, searched(TURN))
    assert (decided.time, decided.budget, decided.left) == (380.0, 420.0, 100.0)
    assert (decided.depth, decided.nodes, decided.evaluations, decided.score) == (9, 1000, 500, 0.25)
    assert decided.stop is not None
    assert decided.moves == [RootMove("up", 0.25, 9), RootMove("left", -1.0, 4, "loss", 3)]
    you, other = (snake.id for snake in TURN.board.snakes[:2])
    assert decided.pv == {you: "ul", other: "l."}


def test_a_search_without_a_message_has_no_details() -> None:
    """It is a search all the same."""
    answer = searched(TURN)
    assert answer.result is not None
    decided = decision_of(TURN, replace(answer, result=replace(answer.result, message=None)))
    assert (decided.depth, decided.evaluations, decided.stop) == (9, 0, None)
    assert (decided.moves, decided.pv) == ([], {})


def test_times_have_a_tenth_of_a_millisecond() -> None:
    """More digits would be noise."""
    answer = reflex()
    exact = replace(answer, elapsed=0.10004, left=0.39996)
    decided = decision_of(TURN, exact)
    assert (decided.time, decided.left) == (100.0, 400.0)
    rough = replace(answer, elapsed=0.10006)
    assert decision_of(TURN, rough).time == 100.1
