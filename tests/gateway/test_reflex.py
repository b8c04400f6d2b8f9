"""The reflex move."""

import pytest
from hypothesis import given

from battlesnake_search.board import Board, Game, Point, Ruleset, Settings, Snake, Turn
from gateway import reflex
from tests.gateway.turn_strategies import any_turn, game_turn

OFFSETS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
"""The offset (x, y) of each move of the API."""


def _turn(
    snakes: dict[str, str],
    *,
    size: tuple[int, int] = (5, 5),
    ruleset: str = "standard",
    health: int = 100,
    food: str = "",
    hazards: str = "",
) -> Turn:
    """Return a turn of the snake "me"; cells are pairs of digits, x before y, head first."""
    bodies = [Snake(name, _cells(text), name, health) for name, text in snakes.items()]
    board = Board(*size, bodies, _cells(food), _cells(hazards))
    rules = Ruleset(ruleset, Settings(hazard_damage_per_turn=14))
    return Turn(Game("g", rules), board, bodies[0], 5)


def _cells(text: str) -> list[Point]:
    return [Point(int(cell[0]), int(cell[1])) for cell in text.split()]


def _survives(turn: Turn, move: str) -> bool:
    """Return whether the snake survives the move whatever the opponents do, by the rules alone."""
    you, board, settings = turn.you, turn.board, turn.game.ruleset.settings
    x, y = you.body[0].x + OFFSETS[move][0], you.body[0].y + OFFSETS[move][1]
    if turn.game.ruleset.name == "wrapped":
        x, y = x % board.width, y % board.height
    to = Point(x, y)
    if not (0 <= x < board.width and 0 <= y < board.height):
        return False
    if any(to in snake.body[:-1] for snake in board.snakes):
        return False
    damage = 0 if to in board.food else 1 + settings.hazard_damage_per_turn * board.hazards.count(to)
    return you.health > damage and not any(_meets(turn, opponent, to) for opponent in board.snakes)


def _meets(turn: Turn, opponent: Snake, cell: Point) -> bool:
    if opponent.id == turn.you.id or len(opponent.body) < len(turn.you.body):
        return False
    across, along = abs(opponent.body[0].x - cell.x), abs(opponent.body[0].y - cell.y)
    if turn.game.ruleset.name == "wrapped":
        across = min(across, turn.board.width - across)
        along = min(along, turn.board.height - along)
    return across + along == 1


@given(any_turn())
def test_any_turn_has_a_move(turn: Turn) -> None:
    """Every valid body gets one of the four moves."""
    assert reflex.choose(turn) in OFFSETS


@given(game_turn())
def test_a_safe_cell_is_taken_where_there_is_one(turn: Turn) -> None:
    """A move that may lose at once is chosen only if every move may."""
    safe = [move for move in OFFSETS if _survives(turn, move)]
    assert reflex.choose(turn) in (safe or OFFSETS)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        pytest.param(_turn({"me": "00 10 20"}), "up", id="walls and the own neck"),
        pytest.param(_turn({"me": "00 10 11 01"}), "up", id="the own tail moves on"),
        pytest.param(_turn({"me": "10 11 01 00 00", "b": "40 30 20"}), "right", id="a stacked tail stays"),
        pytest.param(_turn({"me": "10 11 12 02 03 03"}, food="00"), "right", id="a pocket is too small"),
        pytest.param(_turn({"me": "20 21 22", "b": "00 01 11 12"}), "right", id="a longer head is avoided"),
        pytest.param(_turn({"me": "20 21 22", "b": "00 01 02 03"}), "right", id="the other way is as large"),
        pytest.param(_turn({"me": "20 21 22", "b": "00 01"}), "left", id="a shorter head is no danger"),
        pytest.param(_turn({"me": "22 21 20 20", "b": "04 14 24 23 23"}), "right", id="the larger room"),
        pytest.param(_turn({"me": "00 01 02"}, ruleset="wrapped", size=(3, 3), food="20"), "left", id="seam"),
        pytest.param(
            _turn({"me": "50 51 52"}, ruleset="wrapped", size=(7, 7), food="10"),
            "right",
            id="food beyond a side",
        ),
        pytest.param(
            _turn({"me": "05 15 25"}, ruleset="wrapped", size=(7, 7), food="01"),
            "up",
            id="food beyond the top",
        ),
        pytest.param(_turn({"me": "22 21 20"}, hazards="32 23"), "left", id="hazards are avoided"),
        pytest.param(
            _turn({"me": "22 21 20"}, hazards="32 23 12", health=14, food="23"), "up", id="food on a hazard"
        ),
        pytest.param(_turn({"me": "22 21 20"}, food="42"), "right", id="food is approached"),
        pytest.param(_turn({"me": "22 12 02"}, food="24"), "up", id="food is approached upwards"),
    ],
)
def test_the_best_move_is_chosen(turn: Turn, expected: str) -> None:
    """The best move by the heuristic is chosen."""
    assert reflex.choose(turn) == expected


@given(game_turn())
def test_the_survivable_moves_start_with_the_choice(turn: Turn) -> None:
    """The survivable moves are distinct, start with the choice, and include every safe move."""
    moves = reflex.survivable(turn)
    assert moves[:1] in ([], [reflex.choose(turn)])
    assert len(set(moves)) == len(moves)
    assert {move for move in OFFSETS if _survives(turn, move)} <= set(moves)
