"""Battlesnake in the textbook: its rules, its moves, its results and its territory."""

from collections.abc import Mapping
from typing import Any

import pytest

from battlesnake_search.contract.deaths import Cause
from searcher.textbook.battlesnake import (
    STAGES,
    Battlesnake,
    Board,
    Direction,
    Stage,
    candidate_moves,
    direction_of,
    play_turn,
    reached_first,
    territory,
)
from searcher.textbook.game import GameResult, is_over
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


UP, DOWN, LEFT, RIGHT = Direction


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (board(snake("a", "33 33 33")), []),
        (board(snake("a", "00 01 02")), [RIGHT]),
        (board(snake("a", "00 01 02"), ruleset="wrapped"), [DOWN, LEFT, RIGHT]),
        (board(snake("a", "22 23 33 32")), [DOWN, LEFT, RIGHT]),
        (board(snake("a", "22 23 33 32 32")), [DOWN, LEFT]),
        (board(snake("a", "33 32 31"), snake("b", "43 53 63")), [UP, LEFT]),
        (board(snake("a", "33 32 31"), snake("b", "54 44 43")), [UP, LEFT, RIGHT]),
        (board(snake("a", "33 32 31"), snake("b", "53 43 44", 1)), [UP, LEFT, RIGHT]),
        (board(snake("a", "33 32 31"), snake("b", "53 43 44", 1), food=((6, 3),)), [UP, LEFT]),
        (board(snake("a", "00 01 11 10 20")), [UP]),
    ],
    ids=[
        "start",
        "corner",
        "seams",
        "tail",
        "stacked tail",
        "body",
        "other's tail",
        "starving",
        "fed",
        "none",
    ],
)
def test_candidates(position: Board, expected: list[Direction]) -> None:
    """Walls, wrapped edges, moving and doubled tails and other snakes count. Up is the last resort."""
    assert candidate_moves(position, 0) == (expected or list(Direction))


def test_excluded_moves_kill() -> None:
    """In every recorded position an excluded move kills, provided that all other snakes survive the turn."""
    checked = 0
    for record in recorded_turns()[::7]:
        position = recorded_board(record)
        for player in position.living:
            for move in set(Direction) - set(candidate_moves(position, player)):
                others = {other: candidate_moves(position, other)[0] for other in position.living}
                after = play_turn(position, others | {player: move})
                if all(after.snakes[other].alive for other in position.living if other != player):
                    assert not after.snakes[player].alive
                    checked += 1
    assert checked > 500


A, B, C = snake("a", "11 12 13"), snake("b", "51 52 53"), snake("c", "31 32 33")


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ({0: DOWN, 1: DOWN}, [None, None]),
        ({0: UP, 1: DOWN}, [GameResult.LOSS, GameResult.WIN]),
        ({0: UP, 1: UP}, [GameResult.DRAW, GameResult.DRAW]),
    ],
    ids=["both live", "one dies", "both die"],
)
def test_ends_of_a_duel(moves: dict[int, Direction], expected: list[GameResult | None]) -> None:
    """The last survivor wins; snakes that die together draw."""
    after = Battlesnake(board(A, B)).play(moves)
    assert [after.result(player) for player in after.players] == expected
    assert is_over(after) == (None not in expected)


def test_an_earlier_death_loses() -> None:
    """Two snakes that die together draw; the third, which died a turn earlier, has lost."""
    after = Battlesnake(board(A, B, C)).play({0: UP, 1: DOWN, 2: DOWN})
    assert [after.result(player) for player in after.players] == [GameResult.LOSS, None, None]
    end = after.play({1: UP, 2: UP})
    assert [end.result(player) for player in end.players] == [
        GameResult.LOSS,
        GameResult.DRAW,
        GameResult.DRAW,
    ]


@pytest.mark.parametrize("ruleset", ["solo", "standard"])
def test_a_lone_snake_can_only_lose(ruleset: str) -> None:
    """A lone snake plays until it dies, and then it has lost."""
    game = Battlesnake(board(A, ruleset=ruleset))
    assert list(game.to_move) == [0]
    assert game.result(0) is None
    assert game.play({0: UP}).result(0) is GameResult.LOSS
    assert is_over(game.play({0: UP}))


def test_solo_rules_have_no_winner() -> None:
    """Under the solo ruleset the survivor of two plays on, and nobody draws."""
    after = Battlesnake(board(A, B, ruleset="solo")).play({0: UP, 1: DOWN})
    assert [after.result(player) for player in after.players] == [GameResult.LOSS, None]
    both = Battlesnake(board(A, B, ruleset="solo")).play({0: UP, 1: UP})
    assert [both.result(player) for player in both.players] == [GameResult.LOSS] * 2


def test_a_mirrored_duel_is_even() -> None:
    """Two equal snakes in mirrored places own equally many cells, and nobody owns the line between them."""
    game = Battlesnake(board(snake("a", "11 10"), snake("b", "51 50")))
    owners = reached_first(game.board)
    assert all(owners[3, y] is None for y in range(7))
    assert territory(game, 0) == territory(game, 1) == 2 * 20 / 47 - 1


@pytest.mark.parametrize(("ruleset", "first"), [("standard", 1), ("wrapped", 0)])
def test_wrapped_edges_are_shortcuts(ruleset: str, first: int) -> None:
    """From column 1 the last column is five steps away, or two across the wrapped edge."""
    owners = reached_first(board(snake("a", "13 12"), snake("b", "33 32"), ruleset=ruleset))
    assert owners[6, 3] == first
