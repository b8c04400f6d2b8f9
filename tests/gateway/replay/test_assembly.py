"""Games put together from their records."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from battlesnake_search.board import Settings
from gateway.replay.assembly import Assembly, result_of, summary_of, whole
from gateway.replay.values import Candidate, Cell, Death, Ending, GameSnake, Placed, Result
from gateway.store.records import (
    IMPORTED,
    RECORDED,
    Decided,
    Fallen,
    Header,
    Position,
    Record,
    RootMove,
    Standing,
)

SEEN, ENDED = datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 3, tzinfo=UTC)


def _header(**fields: Any) -> Header:
    snakes = [GameSnake("a", "one"), GameSnake("b", "two")]
    return msgspec.structs.replace(
        Header(
            id="g",
            source=RECORDED,
            ruleset="standard",
            version="cli",
            settings=Settings(),
            map="",
            width=11,
            height=7,
            timeout_ms=500,
            seen_at=SEEN,
            snakes=snakes,
            turns=9,
        ),
        **fields,
    )


def _position(turn: int, latency: float = 0.0, **heads: Cell) -> Position:
    return Position(turn, [], [], {name: Standing([cell, cell], 90, latency) for name, cell in heads.items()})


def _decided(turn: int, snake: str, left: float = 60.0, **fields: Any) -> Decided:
    return Decided(turn, snake, "up", "search", "s/e", 300.0, 440.0, left, **fields)


@pytest.mark.parametrize(
    ("fields", "result"),
    [
        ({}, None),
        ({"winner": "b"}, None),
        ({"ended_at": ENDED}, Result(None, 9)),
        ({"ended_at": ENDED, "winner": "b"}, Result(1, 9)),
        ({"ended_at": ENDED, "winner": "stranger"}, Result(None, 9)),
    ],
)
def test_the_result_names_the_winner_by_number(fields: dict[str, Any], result: Result | None) -> None:
    """Only a game that has ended has one; a draw, or a winner nobody knows, is nobody's."""
    assert result_of(_header(**fields)) == result


def test_a_game_that_goes_on_has_no_result() -> None:
    """Whatever its header says of a former end."""
    header = _header(ended_at=ENDED, winner="a")
    live, over = summary_of(header, is_live=True), summary_of(header, is_live=False)
    assert (live.source, live.over, live.result, live.turns) == ("live", False, None, 9)
    assert (over.source, over.over, over.result) == (RECORDED, True, Result(0, 9))
    assert (over.started_at, over.ended_at) == (SEEN, ENDED)


def test_a_file_does_not_say_when_a_game_was_played() -> None:
    """The time at which it was read is not that of the game."""
    imported = summary_of(_header(source=IMPORTED, ended_at=ENDED), is_live=False)
    assert (imported.source, imported.started_at, imported.ended_at) == (IMPORTED, None, None)


def test_a_snake_that_comes_later_has_a_number_of_its_own() -> None:
    """Earlier turns get a place for it, without a board or a move."""
    game = whole(_header(), [_position(0, a=(1, 1), b=(5, 5)), _position(1, a=(1, 2), c=(9, 3))])
    assert [(snake.id, snake.name) for snake in game.snakes] == [("a", "one"), ("b", "two"), ("c", "")]
    first, second = game.turns
    assert first.snakes == [Placed([(1, 1)] * 2, 90), Placed([(5, 5)] * 2, 90), None]
    assert second.snakes == [Placed([(1, 2)] * 2, 90), None, Placed([(9, 3)] * 2, 90)]
    assert first.decisions == second.decisions == [None] * 3
    assert [death.snake for death in second.deaths] == [1]


def test_records_may_come_in_any_order() -> None:
    """Positions come before the decisions of their turn, and deaths follow from two positions."""
    records: list[Record] = [_decided(1, "a"), _position(1, a=(1, 2))]
    records += [_position(0, a=(1, 1), b=(0, 0)), _decided(0, "b")]
    game = whole(_header(), records)
    assert game.over and [turn.turn for turn in game.turns] == [0, 1]
    assert [[bool(one) for one in turn.decisions] for turn in game.turns] == [[False, True], [True, False]]
    assert [snake.ours for snake in game.snakes] == [True, True]


def test_a_wrapped_board_has_no_walls() -> None:
    """The rules of deaths are those of the game's ruleset, and of its width and height."""
    corner = Position(0, [], [], {"a": Standing([(10, 6), (10, 5), (10, 4)], 90)})
    after = _position(1, b=(3, 3))
    decided = _decided(0, "a")
    game = whole(_header(), [corner, decided, after])
    assert game.turns[1].deaths == [Death(0, "wall-collision")]
    game = whole(_header(ruleset="wrapped"), [corner, decided, after])
    assert game.turns[1].deaths == [Death(0)]


@pytest.mark.parametrize(
    ("latency", "next_turn", "left", "late"),
    [
        (499.0, 1, 60.0, False),
        (500.0, 1, 60.0, True),
        (500.0, 2, 60.0, False),
        (0.0, 1, -0.1, True),
        (0.0, 1, 0.0, False),
    ],
)
def test_a_late_decision_is_marked(latency: float, next_turn: int, left: float, late: bool) -> None:
    """An answer is late by our clock, or by the latency that the engine reports in the next turn."""
    records: list[Record] = [_position(0, a=(1, 1)), _position(next_turn, latency, a=(1, 2))]
    records.append(_decided(0, "a", left))
    [decision] = [one for one in whole(_header(), records).turns[0].decisions if one]
    assert decision.late is late


def test_a_decision_has_what_its_search_found() -> None:
    """The end is that of the chosen move, the first move alone is exact, and lines have words."""
    moves = [RootMove("up", 0.5, 9, "win", 4), RootMove("left", 0.5, 9), RootMove("down", -1.0, 5, "loss", 2)]
    found = _decided(
        0, "a", moves=moves, pv={"b": "lr.", "a": "u.."}, depth=9, nodes=5, evaluations=3, score=0.5
    )
    assembly = Assembly(_header())
    number, decision = assembly.add_decision(found)
    assert number == 0 and decision.outcome == Ending("win", 4)
    assert decision.moves == [
        Candidate("up", 0.5, 9, Ending("win", 4), True),
        Candidate("left", 0.5, 9, None, False),
        Candidate("down", -1.0, 5, Ending("loss", 2), False),
    ]
    assert decision.pv == [["up", "left"], [None, "right"], [None, None]]
    assert assembly.add_decision(_decided(0, "b"))[1].pv == []
    assert (decision.time_ms, decision.budget_ms, decision.left_ms) == (300.0, 440.0, 60.0)
    other = msgspec.structs.replace(found, moves=moves[1:])
    assert assembly.add_decision(other)[1].outcome is None


def test_turns_that_are_forgotten_are_gone() -> None:
    """A game that is only followed keeps its newest turns."""
    assembly = Assembly(_header())
    for number in range(4):
        assembly.add(_position(number, a=(1, number)))
    assembly.forget_before(2)
    assert [assembly.at(number) is not None for number in range(5)] == [False, False, True, True, False]
    assert [turn.turn for turn in assembly.game(is_live=True).turns] == [2, 3]


def test_an_older_position_kills_nobody() -> None:
    """A record that comes late has no turn before it to compare with."""
    assembly = Assembly(_header())
    assembly.add(_position(5, a=(1, 1), b=(4, 4)))
    assert assembly.add_position(_position(4, a=(1, 0))).deaths == []


def test_a_position_that_comes_twice_kills_nobody() -> None:
    """Deaths lie between a turn and a later one."""
    assembly = Assembly(_header())
    assembly.add(_position(5, a=(1, 1), b=(4, 4)))
    assert assembly.add_position(_position(5, a=(1, 1))).deaths == []


def test_a_reported_death_counts_before_what_the_boards_show() -> None:
    """Its cause and its culprit are the server's; of other deaths the boards tell."""
    header = _header(deaths=[Fallen("b", "hazard", "a")])
    game = whole(header, [_position(1, a=(1, 1), b=(5, 5)), _position(2)])
    assert game.turns[1].deaths[1] == Death(1, "hazard", 0)
    assert game.turns[1].deaths[0].snake == 0
    stranger = _header(deaths=[Fallen("b", "hazard", "gone")])
    [fallen] = whole(stranger, [_position(1, b=(5, 5)), _position(2)]).turns[1].deaths
    assert fallen == Death(1, "hazard", None)
