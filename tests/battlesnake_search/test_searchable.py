"""Positions of any game, brought within the bounds of the contract."""

import json
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from battlesnake_search.board import Board, Game, Point, Ruleset, Settings, Snake, Turn
from battlesnake_search.plan import Plan
from battlesnake_search.reader import decode, read
from battlesnake_search.searchable import Searchable, position_of, searchable
from battlesnake_search.translate import search_request
from searcher.errors import Violations
from searcher.serving.translate import position_of as engine_position

REQUESTS = Path("tests/fixtures/requests")


def violations(position: Searchable) -> list[str]:
    """Return the reasons of a searcher to refuse a position."""
    found = Violations()
    engine_position(search_request(position, Plan()).position, found)
    return [str(violation) for violation in found]


def snake(name: str, *cells: tuple[int, int], health: int = 50) -> Snake:
    """Return a snake on these cells, head first."""
    return Snake(name, [Point(x, y) for x, y in cells], health=health)


def turn(*snakes: Snake, size: int = 11, ruleset: str = "standard", damage: int = 14, **board: Any) -> Turn:
    """Return a turn that the first snake receives."""
    rules = Ruleset(ruleset, Settings(hazard_damage_per_turn=damage))
    return Turn(Game("g", rules), Board(size, size, list(snakes), **board), snakes[0], 30)


ME = snake("me", (5, 5), (5, 4), (5, 3))


@pytest.mark.parametrize("path", sorted(REQUESTS.glob("*-move-*.json")), ids=lambda path: path.stem)
def test_positions_of_the_official_engine_stay_as_they_are(path: Path) -> None:
    """Positions within the contract stay the same, except for starving opponents."""
    sent = decode(path.read_bytes())
    position = position_of(sent)
    assert not position.mended and not position.moves and violations(position) == []
    if all(each.health > 1 for each in sent.board.snakes):
        assert position.turn == sent


def test_a_search_takes_the_nearest_snakes_of_a_crowd() -> None:
    """Seven opponents are searched, and the bodies of further opponents are lethal."""
    crowd = [snake(f"s{x}", (x, 9), (x, 8), (x, 7)) for x in range(11) if x != 5]
    position = searchable(turn(ME, *crowd))
    board = position.turn.board
    assert position.mended == {"crowd"} and violations(position) == []
    assert [each.id for each in board.snakes] == [
        "me",
        *(f"s{x}" for x in range(1, 10) if x not in (5, 9)),
        "s9",
    ][:8]
    left_out = {each.id for each in crowd} - {each.id for each in board.snakes}
    walls = {part for each in crowd if each.id in left_out for part in each.body}
    assert set(board.hazards) == walls
    assert all(board.hazards.count(cell) * 14 >= 100 for cell in walls)


@pytest.mark.parametrize("damage", [0, -10, 14, 100])
def test_walls_are_lethal_whatever_hazards_do(damage: int) -> None:
    """Walls replace harmless and healing hazards."""
    hazards = [Point(0, 0)]
    crowd = [snake(f"s{x}", (x, 9), (x, 8), (x, 7)) for x in range(11) if x != 5]
    board = searchable(turn(ME, *crowd, damage=damage, hazards=hazards)).turn
    layers = board.board.hazards.count(Point(0, 9)) + board.board.hazards.count(Point(10, 9))
    assert layers * board.game.ruleset.settings.hazard_damage_per_turn >= 100
    assert (Point(0, 0) in board.board.hazards) == (damage > 0)


@pytest.mark.parametrize("ruleset", ["standard", "wrapped"])
@pytest.mark.parametrize("head", [(0, 0), (15, 15), (29, 29), (3, 28)])
def test_a_search_takes_a_window_around_our_head_from_a_large_board(
    ruleset: str, head: tuple[int, int]
) -> None:
    """The window has the contract's largest size. Its content keeps its place relative to our head."""
    x, y = head
    step = 1 if y < 15 else -1
    me = snake("me", head, (x, y + step), (x, y + 2 * step))
    food = Point(min(x + 2, 29), y)
    position = searchable(
        turn(me, snake("o", (14, 14), (14, 13), (14, 12)), size=30, ruleset=ruleset, food=[food])
    )
    board, own = position.turn.board, position.turn.own
    assert position.mended == {"large_board"} and violations(position) == []
    assert (board.width, board.height) == (25, 25) and own is not None
    assert [(part.x - own.body[0].x, part.y - own.body[0].y) for part in own.body] == [
        (0, 0),
        (0, step),
        (0, 2 * step),
    ]
    [shown] = board.food
    assert (shown.x - own.body[0].x, shown.y - own.body[0].y) == (food.x - x, 0)


def test_snakes_on_one_cell_part() -> None:
    """Two snakes that start on one cell get different moves to consider."""
    one, two = snake("a", (1, 1), (1, 1), (1, 1)), snake("b", (1, 1), (1, 1), (1, 1))
    first, second = searchable(turn(one, two)), searchable(turn(two, one))
    assert first.moves and second.moves and not set(first.moves) & set(second.moves)
    assert violations(first) == violations(second) == []


def test_a_body_that_is_broken_keeps_its_length() -> None:
    """The connected part is searched, with the rest on its last cell. The separate part is a wall."""
    broken = snake("o", (9, 9), (9, 8), (2, 2), (2, 3))
    position = searchable(turn(ME, broken))
    [_, shown] = position.turn.board.snakes
    assert [(part.x, part.y) for part in shown.body] == [(9, 9), (9, 8), (9, 8), (9, 8)]
    assert {Point(2, 2), Point(2, 3)} == set(position.turn.board.hazards)
    assert position.mended == {"overlap"} and violations(position) == []


def test_an_opponent_that_starves_for_certain_is_in_nobodys_way() -> None:
    """It dies before the collisions of the turn. An opponent that can reach food may live."""
    me, starving = snake("me", (0, 0), (0, 1), (0, 2)), snake("o", (3, 0), (2, 0), (1, 0), (1, 1), health=1)
    assert [each.id for each in searchable(turn(me, starving)).turn.board.snakes] == ["me"]
    fed = searchable(turn(me, starving, food=[Point(3, 1)]))
    assert [each.id for each in fed.turn.board.snakes] == ["me", "o"]
    assert len(searchable(turn(me, starving, damage=-5)).turn.board.snakes) == 2
    assert len(searchable(turn(me, starving, ruleset="constrictor")).turn.board.snakes) == 2


_CELL = st.tuples(st.integers(-3, 32), st.integers(-3, 32))


@st.composite
def _bodies(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Draw a body: a walk, perhaps with gaps, off the board and over itself."""
    x, y = draw(_CELL)
    cells = [(x, y)]
    for _ in range(draw(st.integers(0, 12))):
        dx, dy = draw(st.sampled_from([(0, 1), (0, -1), (1, 0), (-1, 0), (0, 0), (5, 2)]))
        x, y = x + dx, y + dy
        cells.append((x, y))
    return cells


@given(
    width=st.integers(1, 30),
    height=st.integers(1, 30),
    ruleset=st.sampled_from(["standard", "wrapped", "royale", "constrictor", "wrapped_constrictor", "solo"]),
    damage=st.integers(-20, 120),
    head=_CELL,
    bodies=st.lists(st.tuples(_bodies(), st.integers(0, 100)), max_size=12),
    food=st.lists(_CELL, max_size=6),
    hazards=st.lists(_CELL, max_size=6),
    number=st.integers(0, 3),
)
@settings(max_examples=100)
def test_a_searcher_takes_every_board_that_has_our_head(
    width: int,
    height: int,
    ruleset: str,
    damage: int,
    head: tuple[int, int],
    bodies: list[tuple[list[tuple[int, int]], int]],
    food: list[tuple[int, int]],
    hazards: list[tuple[int, int]],
    number: int,
) -> None:
    """The position breaks no rule of the contract, whatever the other snakes, food and hazards are."""
    mine = [(head[0] % width, head[1] % height), *(bodies[0][0] if bodies else [])]
    points = [{"x": x, "y": y} for x, y in mine]
    snakes = [{"id": "me", "health": 9, "body": points}]
    snakes += [
        {"id": f"s{index}", "health": health, "body": [{"x": x, "y": y} for x, y in cells]}
        for index, (cells, health) in enumerate(bodies)
    ]
    body = {
        "game": {"ruleset": {"name": ruleset, "settings": {"hazardDamagePerTurn": damage}}},
        "turn": number,
        "board": {
            "width": width,
            "height": height,
            "snakes": snakes,
            "food": [{"x": x, "y": y} for x, y in food],
            "hazards": [{"x": x, "y": y} for x, y in hazards],
        },
        "you": {"id": "me"},
    }
    position = position_of(read(json.dumps(body).encode()).turn)
    assert violations(position) == []
    assert position.turn.own is not None
