"""The contract of every map: legal starts and updates that depend on nothing but the arguments."""

import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from arena.games import boards, maps
from arena.games.boards import position_at, replayed
from arena.records import Rules, Setup
from battlesnake_search.contract.limits import MAX_SNAKES
from searcher.engine.position import MAX_HEALTH, Position
from tests.arena.games.maps.map_rules import cells_of, hazards_after, neighbours, rules_of, square
from tests.arena.report.random_games import random_game, setup_of

MAPS = boards.map_names()
ANY_SIZE = [(7, 7), (11, 11), (19, 19), (5, 5), (7, 9)]
SEEDS = range(5)

BUSY = {"food_spawn_chance": 50, "shrink_every": 4, "max_turns": 120}
"""Settings under which maps change the board often."""

MINIMAL_MAP = """
from arena.games.maps import BoardUpdate, empty

set_up_board = empty.set_up_board

def update_board(rules, position, seed):
    return BoardUpdate(hazards=((0, 0), (0, 0)))
"""


def setup_with(rules: Rules, snakes: int) -> Setup:
    """A setup of one entrant for each snake."""
    return setup_of(rules, tuple(f"entrant {number}" for number in range(snakes)), snakes)


def sizes_of(name: str) -> Sequence[tuple[int, int]]:
    """Sizes of board that a map is played on."""
    return boards.game_map(name).sizes or [size for size in ANY_SIZE if name != "solo_maze" or min(size) >= 7]


def snakes_on(name: str, most: int) -> tuple[int, ...]:
    """Numbers of snakes that a map is played by."""
    limit = boards.game_map(name).most_snakes or MAX_SNAKES
    return tuple(number for number in (1, 2, 4, 6, 8) if number <= min(most, limit))


@pytest.mark.parametrize("name", MAPS)
def test_starts_are_legal(name: str) -> None:
    """Healthy snakes of three parts lie on cells of their own, food on other cells, hazards on the board."""
    for (width, height), snakes in product(sizes_of(name), snakes_on(name, 8)):
        rules = rules_of(map=name, width=width, height=height)
        board = cells_of(width, height)
        for seed in SEEDS:
            start = boards.set_up_board(rules, snakes, seed)
            cells = [cell for body in start.bodies for cell in set(body)]
            assert (start.turn, start.health) == (0, (MAX_HEALTH,) * snakes)
            assert all(len(body) == 3 and body[1] == body[2] for body in start.bodies)
            assert all(body[0] in {body[1], *neighbours(body[1])} for body in start.bodies)
            assert len(cells) == len(set(cells))
            assert len(start.food) == len(set(start.food))
            assert {*cells, *start.food, *start.hazards} <= board
            assert not {*cells} & {*start.food}


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("ruleset", ["standard", "royale"])
def test_updates_are_legal_throughout_games(name: str, ruleset: str) -> None:
    """Turn by turn, food appears on cells without food or bodies, and hazards stay on the board.

    Only royale's rules change the hazards of a map.
    """
    snakes = snakes_on(name, 4)[-1]
    for seed, (width, height) in enumerate(sizes_of(name)[:2]):
        rules = rules_of(map=name, ruleset=ruleset, width=width, height=height, **BUSY)
        start = boards.set_up_board(rules, snakes, seed)
        game = random_game(setup_with(rules, snakes), tuple(range(snakes)), start, seed)
        # Trails of the map snail_mode are remembered above the board.
        board = cells_of(width, 2 * height if name == "snail_mode" else height)
        for turn, after in zip(game.turns, list(replayed(rules, game))[1:], strict=True):
            bodies = {part for snake in after.snakes for part in snake.body}
            assert set(after.food) <= cells_of(width, height)
            assert set(after.hazards) <= board
            assert not set(after.food) & bodies
            assert len(after.food) == len(set(after.food))
            assert turn.hazards is None or turn.hazards == after.hazards


@pytest.mark.parametrize("name", MAPS)
def test_boards_repeat_for_a_seed(name: str) -> None:
    """Neither starts nor updates depend on anything but their arguments."""
    width, height = boards.default_size(name)
    rules, snakes = rules_of(width=width, height=height, map=name, **BUSY), snakes_on(name, 2)[-1]
    for seed in SEEDS[:3]:
        games: list[list[Position]] = []
        for _ in range(2):
            random.seed(len(games))
            start = boards.set_up_board(rules, snakes, seed)
            game = random_game(setup_with(rules, snakes), tuple(range(snakes)), start, seed)
            games.append(list(replayed(rules, game)))
        assert games[0] == games[1]


ANYWHERE = [name for name in MAPS if boards.game_map(name)[2:] == ((), None)]
"""The maps that are played on boards of any size by any number of snakes."""


def test_too_many_snakes_are_rejected() -> None:
    """A board without room for all snakes is an error that names both numbers."""
    with pytest.raises(ValueError, match="3x3 board has room for 4 snakes, not for 5"):
        boards.set_up_board(square(3), 5, 1)


@pytest.mark.parametrize("name", ANYWHERE)
def test_small_boards_are_played(name: str) -> None:
    """No update fails on the smallest board, however long the game lasts."""
    rules = square(3, map=name, shrink_every=2)
    position = position_at(rules, boards.set_up_board(rules, 2, 1))
    for turn in range(1, 200):
        after = replace(position, turn=turn, hazards=hazards_after(rules, replace(position, turn=turn), 1))
        assert name == "snail_mode" or set(after.hazards) <= cells_of(3, 3)
        position = after


@pytest.mark.parametrize(
    ("name", "width", "height", "snakes", "words"),
    [
        ("arcade_maze", 11, 11, 2, "no board of 11x11 on the map arcade_maze; valid: 19x21"),
        ("arcade_maze", 19, 21, 7, "the map arcade_maze has room for at most 6, not for 7 snakes"),
        ("healing_pools", 9, 9, 2, "no board of 9x9 on the map healing_pools; valid: 11x11, 7x7, 19x19"),
        ("hz_castle_wall_lg", 11, 11, 2, "valid: 19x19"),
        ("hz_hazard_pits", 11, 11, 5, "the map hz_hazard_pits has room for at most 4, not for 5 snakes"),
        ("hz_rivers_bridges_xl", 11, 11, 2, "valid: 25x25"),
        ("solo_maze", 11, 5, 1, "no board of 11x5 on the map solo_maze; valid: sides of 7 and more"),
    ],
)
def test_maps_refuse_other_boards(name: str, width: int, height: int, snakes: int, words: str) -> None:
    """The error names what is valid."""
    with pytest.raises(ValueError, match=words):
        boards.set_up_board(rules_of(map=name, width=width, height=height), snakes, 1)


def test_a_file_is_a_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module among the maps is found by its file's name; one with an underscore is not."""
    for name in ("minimal", "_helper"):
        (tmp_path / f"{name}.py").write_text(MINIMAL_MAP)
    monkeypatch.setattr(maps, "__path__", [*maps.__path__, str(tmp_path)])
    assert set(boards.map_names()) == {*MAPS, "minimal"}
    rules = square(7, map="minimal")
    game = random_game(setup_with(rules, 2), (0, 1), boards.set_up_board(rules, 2, 1), 1)
    assert game.turns[0].hazards == ((0, 0), (0, 0))


def test_an_unknown_map_is_rejected() -> None:
    """The error names the valid maps."""
    with pytest.raises(ValueError, match=f"no map 'nowhere'; valid: {', '.join(MAPS)}"):
        boards.set_up_board(square(7, map="nowhere"), 2, 1)


def test_choices_do_not_slow_down_the_command_line() -> None:
    """Neither maps nor rulesets are imported before a command needs them."""
    program = "import sys, arena.commands.main; print('searcher.engine' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
