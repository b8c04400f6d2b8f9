"""The contract of every map: legal starts and updates that depend on nothing but the arguments."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from arena.commands.match import match
from arena.games import boards, maps
from arena.games.replay import replayed
from arena.records.model import Game, Rules, Setup
from protos.rulesets import RULESETS
from searcher.engine.position import MAX_HEALTH
from tests.arena.games.maps.map_rules import cells_of, rules_of, square
from tests.arena.report.random_games import random_game, setup_of

MAPS = boards.map_names()
SIZES = [(7, 7), (11, 11), (19, 19), (5, 5), (7, 9)]
SEEDS = range(20)

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


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_starts_are_legal(name: str, ruleset: str, width: int, height: int) -> None:
    """Healthy snakes are folded up on cells of their own, food lies on other cells, hazards on the board."""
    rules = rules_of(map=name, ruleset=ruleset, width=width, height=height)
    board = cells_of(width, height)
    for seed in SEEDS:
        for snakes in (1, 2, 4, 8):
            start = boards.set_up_board(rules, snakes, seed)
            heads = {body[0] for body in start.bodies}
            assert (start.turn, start.health) == (0, (MAX_HEALTH,) * snakes)
            assert all(body == (body[0],) * 3 for body in start.bodies)
            assert len(heads) == len(start.bodies) == snakes
            assert len(start.food) == len(set(start.food))
            assert heads | set(start.food) | set(start.hazards) <= board
            assert not heads & set(start.food)


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_updates_are_legal_throughout_games(name: str, ruleset: str) -> None:
    """Turn by turn, food appears on cells without food or bodies, and hazards stay on the board."""
    snakes = 1 if ruleset == "solo" else 4
    for side, seed in ((7, 1), (11, 2)):
        rules = square(side, map=name, ruleset=ruleset, **BUSY)
        start = boards.set_up_board(rules, snakes, seed)
        game = random_game(setup_with(rules, snakes), tuple(range(snakes)), start, seed)
        board = cells_of(side, side)
        for turn, after in zip(game.turns, list(replayed(rules, game))[1:], strict=True):
            bodies = {part for snake in after.snakes for part in snake.body}
            assert set(turn.food) | set(after.hazards) <= board
            assert not set(turn.food) & bodies
            assert len(after.food) == len(set(after.food))
            assert turn.hazards is None or turn.hazards == after.hazards


@pytest.mark.parametrize("name", MAPS)
def test_boards_repeat_for_a_seed(name: str) -> None:
    """Neither starts nor updates depend on anything but their arguments."""
    rules = square(11, map=name, **BUSY)
    for seed in SEEDS:
        games: list[Game] = []
        for _ in range(2):
            random.seed(len(games))
            start = boards.set_up_board(rules, 2, seed)
            games.append(random_game(setup_with(rules, 2), (0, 1), start, seed))
        assert games[0] == games[1]


@pytest.mark.parametrize("name", MAPS)
def test_too_many_snakes_are_rejected(name: str) -> None:
    """A board without room for all snakes is an error that names both numbers."""
    with pytest.raises(ValueError, match="3x3 board has room for 4 snakes, not for 5"):
        boards.set_up_board(square(3, map=name), 5, 1)


@pytest.mark.parametrize("name", MAPS)
def test_every_map_can_be_chosen(name: str) -> None:
    """The command line takes the name of each map."""
    assert match.make_context("match", ["A", "B", "--map", name]).params["map_"] == name


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
    with pytest.raises(ValueError, match="no map 'nowhere'; valid: empty, royale, standard"):
        boards.set_up_board(square(7, map="nowhere"), 2, 1)


def test_choices_do_not_slow_down_the_command_line() -> None:
    """Neither maps nor rulesets are imported before a command needs them."""
    program = "import sys, arena.commands.main; print('searcher.engine' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
