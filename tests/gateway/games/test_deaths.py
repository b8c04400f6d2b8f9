"""Causes of deaths, as far as two boards show them."""

from typing import Any

import pytest

from gateway.bodies import Settings
from gateway.games.deaths import Rules, death
from gateway.games.values import Cell, Death, Decision, Placed, Turn

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
