"""Games put together from their records."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from battlesnake_search.board import Settings
from console.store.assembly import Assembly, Rules, death, whole
from console.store.records import (
    Decided,
    Fallen,
    Header,
    LivingSnake,
    Position,
    Record,
    RootMove,
)
from console.store.values import Candidate, Cell, Death, Decision, Ending, GameSnake, Placed, Turn
from tests.console.store.game_samples import header_with

SEEN, ENDED = datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 3, tzinfo=UTC)


def _header(**fields: Any) -> Header:
    snakes = [GameSnake("a", "one"), GameSnake("b", "two")]
    plain = header_with(version="cli", height=7, snakes=snakes, turns=9)
    return msgspec.structs.replace(plain, **fields)


def _position(turn: int, latency: float = 0.0, **heads: Cell) -> Position:
    return Position(
        turn, [], [], {name: LivingSnake([cell, cell], 90, latency) for name, cell in heads.items()}
    )


def _decided(turn: int, snake: str, left: float = 60.0, **fields: Any) -> Decided:
    return Decided(turn, snake, "up", "search", "s/e", 300.0, 440.0, left, **fields)


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
    """The end belongs to the chosen move, only the first move is exact, and lines have words."""
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


def test_a_reported_death_counts_before_what_the_boards_show() -> None:
    """Its cause and its culprit are from the server, and other deaths are derived from the boards."""
    header = _header(deaths=[Fallen("b", "hazard", "a")])
    game = whole(header, [_position(1, a=(1, 1), b=(5, 5)), _position(2)])
    assert game.turns[1].deaths[1] == Death(1, "hazard", 0)
    assert game.turns[1].deaths[0].snake == 0
    stranger = _header(deaths=[Fallen("b", "hazard", "gone")])
    [fallen] = whole(stranger, [_position(1, b=(5, 5)), _position(2)]).turns[1].deaths
    assert fallen == Death(1, "hazard", None)


RULES = Rules(11, 11, False, Settings(hazard_damage_per_turn=14))
LONG: list[Cell] = [(5, 6), (5, 7), (6, 7), (6, 6), (6, 5), (6, 4), (6, 3)]
"""The body of another snake."""


def _decision(move: str) -> Decision:
    return Decision(move, "search", False, "", 1, 1, 1, 0.0, None, 1.0, 1.0, 1.0, None, [], [])


def _turn(number: int, *snakes: Placed | None, move: str = "", **board: Any) -> Turn:
    decisions = [_decision(move) if move and index == 0 else None for index in range(len(snakes))]
    fields: dict[str, Any] = {"food": [], "hazards": []} | board
    return Turn(number, fields["food"], fields["hazards"], list(snakes), [], decisions)


def _died(before: Turn, *after: Placed | None, rules: Rules = RULES) -> Death:
    return death(rules, before, _turn(before.turn + 1, None, *after), 0)


def _short(*cells: Cell, health: int = 90) -> Placed:
    return Placed(list(cells), health)


def test_a_collision_names_the_other_snake() -> None:
    """A snake that ran into another one, or lost head to head, has that one to blame."""
    other, moved = Placed(LONG, 90), Placed([(4, 6), *LONG[:-1]], 89)
    into = _turn(3, _short((5, 5), (5, 4), (5, 3)), other, move="right")
    assert _died(into, moved) == Death(0, "snake-collision", 1)
    against = _turn(3, _short((4, 5), (4, 4), (4, 3)), other, move="up")
    assert _died(against, moved) == Death(0, "head-collision", 1)


def test_a_death_with_one_explanation_is_explained() -> None:
    """The cause of a stranger's death is known if every move that it may have made leads to the same one."""
    corner = _turn(3, Placed([(0, 0), (0, 1), (1, 1), (1, 0), (2, 0)], 90))
    assert _died(corner).cause is None
    starving = _turn(3, _short((5, 5), (5, 4), (5, 3), health=1))
    assert _died(starving).cause == "out-of-health"
    assert _died(_turn(3, _short((5, 5), (5, 4), (5, 3)))) == Death(0, "snake-self-collision", 0)


@pytest.mark.parametrize(
    ("head", "neck", "move"),
    [((0, 3), (1, 3), "left"), ((8, 3), (7, 3), "right"), ((4, 0), (4, 1), "down"), ((4, 6), (4, 5), "up")],
)
def test_each_side_has_a_wall(head: Cell, neck: Cell, move: str) -> None:
    """A snake that leaves a board dies of its wall; on a wrapped one it comes in on the other side."""
    before = _turn(3, _short(head, neck, neck), move=move)
    assert _died(before, rules=Rules(9, 7, False, Settings())).cause == "wall-collision"
    far = {"left": (8, 3), "right": (0, 3), "down": (4, 6), "up": (4, 0)}[move]
    other = Placed([(1, 1), far, far], 90)
    assert _died(
        _turn(3, before.snakes[0], other, move=move), other, rules=Rules(9, 7, True, Settings())
    ) == Death(0, "snake-collision", 1)


@pytest.mark.parametrize(
    ("health", "board", "cause"),
    [
        (15, {"hazards": [(3, 6)]}, "hazard"),
        (16, {"hazards": [(3, 6)]}, "snake-collision"),
        (29, {"hazards": [(3, 6), (3, 6)]}, "hazard"),
        (30, {"hazards": [(3, 6), (3, 6)]}, "snake-collision"),
        (15, {"hazards": [(2, 5)]}, "snake-collision"),
        (1, {"hazards": [(3, 6)]}, "hazard"),
        (1, {"hazards": [(2, 5)]}, "out-of-health"),
        (2, {}, "snake-collision"),
        (1, {"food": [(3, 6)]}, "snake-collision"),
        (1, {"food": [(3, 6)], "hazards": [(3, 6)]}, "snake-collision"),
    ],
)
def test_health_lasts_for_a_move(health: int, board: dict[str, Any], cause: str) -> None:
    """A move takes one health and each layer of hazard its damage; food keeps both away."""
    other = Placed([(4, 6), (3, 6), (2, 6)], 90)
    before = _turn(3, _short((3, 5), (3, 4), (3, 3), health=health), other, move="up", **board)
    assert _died(before, other).cause == cause


def test_tails_have_moved_on() -> None:
    """No snake dies on the last cell of a body, its own or another snake's."""
    circle = _turn(3, _short((3, 5), (4, 5), (4, 6), (3, 6)), move="up")
    assert _died(circle).cause is None
    behind = _turn(3, _short((3, 5), (3, 4), (3, 3)), Placed([(3, 8), (3, 7), (3, 6)], 90), move="up")
    assert _died(behind, Placed([(3, 9), (3, 8), (3, 7)], 89)).cause is None


@pytest.mark.parametrize(("length", "cause"), [(2, None), (3, "head-collision"), (4, "head-collision")])
def test_heads_kill_as_long_bodies(length: int, cause: str | None) -> None:
    """Of two heads in a cell, the shorter snake dies; of equal ones both do."""
    other = Placed([(3, 7), (3, 8), (3, 9), (3, 10)][:length], 90)
    before = _turn(3, _short((3, 5), (3, 4), (3, 3)), other, move="up")
    assert _died(before, Placed([(3, 6), *other.body[:-1]], 89)).cause == cause
    assert _died(before, None).cause == cause
    elsewhere = Placed([(4, 7), *other.body[:-1]], 89)
    assert _died(before, elsewhere).cause is None
    far = Placed([(9, 7), (9, 8), (9, 9)], 90)
    assert _died(_turn(3, before.snakes[0], far, move="up"), None).cause is None


def test_the_longest_is_to_blame() -> None:
    """Of two bodies in one cell, as a shared game has them, the engine names the longer one."""
    short, long = Placed([(2, 6), (3, 6), (4, 6)], 90), Placed([(2, 7), (3, 7), (3, 6), (4, 6)], 90)
    me = _short((3, 5), (3, 4), (3, 3))
    for others, culprit in (((short, long), 2), ((long, short), 1)):
        assert _died(_turn(3, me, *others, move="up"), *others) == Death(0, "snake-collision", culprit)


def test_after_a_late_answer_a_snake_goes_straight_on() -> None:
    """In a corner the wall ahead is the cause, although the neck and the body would kill, too."""
    corner = _turn(3, _short((9, 10), (9, 9), (8, 9), (8, 10)), move="left")
    decision = corner.decisions[0]
    assert decision is not None
    corner.decisions[0] = msgspec.structs.replace(decision, late=True)
    assert _died(corner) == Death(0, "wall-collision")
