"""One turn of Battlesnake, compared with the recorded turns of the official rules, and its stages."""

from collections.abc import Mapping
from typing import Any

import pytest

from searcher.textbook.battlesnake.board import Board, Cause, Direction
from searcher.textbook.battlesnake.rules import STAGES, Stage, direction_of, play_turn
from tests.searcher.textbook.boards import board, point, recorded_board, recorded_turns, snake


def summary(after: Board) -> dict[str, Any]:
    """Return a board in the form of a record."""
    dead = {each.id: each.elimination for each in after.snakes if each.elimination}
    return {
        "turn": after.turn,
        "snakes": [(each.id, each.health, each.body) for each in after.snakes if each.alive],
        "food": after.food,
        "hazards": after.hazards,
        "eliminated": {
            name: {"cause": death.cause, "by": death.by, "turn": death.turn} for name, death in dead.items()
        },
        "game_over": after.over,
    }


def recorded_summary(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the recorded result of the turn."""
    after = record["after"]
    return {
        "turn": after["turn"],
        "snakes": [(each["id"], each["health"], tuple(map(point, each["body"]))) for each in after["snakes"]],
        "food": tuple(map(point, after["food"])),
        "hazards": tuple(map(point, after["hazards"])),
        "eliminated": record["eliminated"],
        "game_over": record["game_over"],
    }


def test_every_recorded_turn() -> None:
    """All 3,500 turns match the official rules in bodies, health, food, deaths and ends."""
    records = recorded_turns()
    assert len(records) == 3500
    for record in records:
        before = recorded_board(record)
        moves = {player: record["moves"][each.id] for player, each in enumerate(before.snakes)}
        assert summary(play_turn(before, moves)) == recorded_summary(record), record


def test_every_stage_matters() -> None:
    """Leaving out any stage changes some recorded turn, so the comparison covers every stage."""
    detected = set[Stage]()
    for record in recorded_turns():
        before = recorded_board(record)
        moves = {player: record["moves"][each.id] for player, each in enumerate(before.snakes)}
        for left_out in set(STAGES) - detected:
            after = before
            for stage in STAGES:
                after = after if stage is left_out else stage(after, moves)
            if summary(after)["snakes"] != recorded_summary(record)["snakes"]:
                detected.add(left_out)
    assert detected == set(STAGES)


def test_a_turn_does_not_change_its_board() -> None:
    """Playing a turn leaves its board unchanged, and playing it again gives the same result."""
    before = recorded_board(recorded_turns()[0])
    moves = dict.fromkeys(range(len(before.snakes)), "up")
    first = play_turn(before, moves)
    assert before == recorded_board(recorded_turns()[0])
    assert play_turn(before, moves) == first != before


def test_every_living_snake_has_to_move() -> None:
    """The error names the snakes without a move."""
    with pytest.raises(ValueError, match="a move is missing for b, c"):
        play_turn(board(snake("a", "11"), snake("b", "31"), snake("c", "51")), {0: "up"})


def test_nothing_happens_after_the_end() -> None:
    """Once a single snake is left, playing a turn changes nothing."""
    after = play_turn(board(snake("a", "11 12 13"), snake("b", "06 05 04")), {0: "down", 1: "up"})
    assert after.over
    assert play_turn(after, {0: "down"}) == after


def test_dead_snakes_keep_their_places() -> None:
    """A dead snake stays in the list with its elimination, and others pass through its body."""
    first = board(snake("a", "06 05 04"), snake("b", "14 24 34"), snake("c", "66 65 64"))
    second = play_turn(first, {0: "up", 1: "down", 2: "left"})
    death = second.snakes[0].elimination
    assert death is not None
    assert (death.cause, death.by, death.turn) == (Cause.WALL, "", 1)
    third = play_turn(second, {1: "left", 2: "left"})
    assert third.living == [1, 2]
    assert third.snakes[0] == second.snakes[0]


@pytest.mark.parametrize(
    ("body", "direction"),
    [("33", "up"), ("33 33 33", "up"), ("33 43", "left"), ("33 23 13", "right"), ("33 34 35", "down")],
)
def test_a_word_that_is_no_move_goes_straight_on(body: str, direction: str) -> None:
    """From neck to head, whatever the length; up if there is no neck or it is on the head's cell."""
    assert direction_of("sideways", snake("a", body)) == Direction(direction)
