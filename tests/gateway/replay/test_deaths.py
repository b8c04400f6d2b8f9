"""Causes of deaths, as far as two boards show them."""

from typing import Any

import pytest

from battlesnake_search.board import Settings
from gateway.replay.deaths import Rules, death
from gateway.replay.values import Cell, Death, Decision, Placed, Turn

RULES = Rules(11, 11, False, Settings(hazard_damage_per_turn=14))
ROUND = Rules(11, 11, True, Settings())
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


@pytest.mark.parametrize(
    ("body", "move", "health", "cause"),
    [
        ([(0, 5), (1, 5), (2, 5)], "left", 90, "wall-collision"),
        ([(3, 5), (4, 5), (5, 5)], "up", 1, "out-of-health"),
        ([(3, 5), (3, 6), (4, 6), (4, 5), (4, 4)], "right", 90, "snake-self-collision"),
    ],
)
def test_a_death_alone(body: list[Cell], move: str, health: int, cause: str) -> None:
    """The snake's own move shows that it left the board, starved or hit itself."""
    by = 0 if cause == "snake-self-collision" else None
    assert _died(_turn(3, Placed(body, health), move=move)) == Death(0, cause, by)


def test_hazards_kill() -> None:
    """A snake whose health does not survive a hazard died of it; food on the cell would have saved it."""
    before = _turn(3, _short((3, 5), (3, 4), (3, 3), health=15), move="up", hazards=[(3, 6)])
    assert _died(before) == Death(0, "hazard")


def test_a_collision_names_the_other_snake() -> None:
    """A snake that ran into another one, or lost head to head, has that one to blame."""
    other, moved = Placed(LONG, 90), Placed([(4, 6), *LONG[:-1]], 89)
    into = _turn(3, _short((5, 5), (5, 4), (5, 3)), other, move="right")
    assert _died(into, moved) == Death(0, "snake-collision", 1)
    against = _turn(3, _short((4, 5), (4, 4), (4, 3)), other, move="up")
    assert _died(against, moved) == Death(0, "head-collision", 1)


def test_what_has_one_explanation_is_explained() -> None:
    """The cause of a stranger's death is known if every move that it may have made leads to the same one."""
    corner = _turn(3, Placed([(0, 0), (0, 1), (1, 1), (1, 0), (2, 0)], 90))
    assert _died(corner).cause is None
    starving = _turn(3, _short((5, 5), (5, 4), (5, 3), health=1))
    assert _died(starving).cause == "out-of-health"
    assert _died(_turn(3, _short((5, 5), (5, 4), (5, 3)))) == Death(0, "snake-self-collision", 0)


def test_wrapped_boards_have_no_walls() -> None:
    """Nobody dies of a wall where there is none."""
    before = _turn(3, _short((0, 5), (1, 5), (2, 5), health=1), move="left")
    assert _died(before, rules=ROUND).cause == "out-of-health"


def test_a_gap_explains_nothing() -> None:
    """If turns are missing, the cause is unknown."""
    before = _turn(3, _short((0, 5), (1, 5), (2, 5)), move="left")
    assert death(RULES, before, _turn(9, None), 0) == Death(0)


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
    """Nobody dies of the last cell of a body, be it one's own or another's."""
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


def test_two_that_may_have_killed_share_the_blame() -> None:
    """The cause is known, and the snake is not."""
    me, one, two = (
        _short((3, 5), (3, 4), (3, 3)),
        _short((2, 6), (1, 6), (0, 6)),
        _short((4, 6), (5, 6), (6, 6)),
    )
    assert _died(_turn(3, me, one, two, move="up"), None, None) == Death(0, "head-collision")


def test_a_late_decision_was_not_played() -> None:
    """The engine repeats another move, so any may have been played."""
    before = _turn(3, _short((0, 5), (1, 5), (2, 5)), move="left")
    decision = before.decisions[0]
    assert decision is not None
    late = Decision(**{name: getattr(decision, name) for name in decision.__struct_fields__} | {"late": True})
    before.decisions[0] = late
    assert _died(before).cause == "wall-collision"
    middle = _turn(3, _short((5, 5), (4, 5), (3, 5)), move="left")
    middle.decisions[0] = late
    assert _died(middle) == Death(0, "snake-self-collision", 0)
