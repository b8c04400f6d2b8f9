"""The setup of a match: defaults, and the errors of invalid options."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.commands.match import match
from arena.matches.setup import DEFAULT_NODES, read_gauntlet, read_setup
from arena.records import MoveLimits
from arena.statistics.sprt import Sprt
from searcher.engine.position import MAX_SNAKES

PAIR = ("paranoid/area", "paranoid/length")

TARGET = "127.0.0.1:9"
"""A target needs no compilation; nobody is contacted there."""


def options(**given: Any) -> dict[str, Any]:
    """The command's options: its defaults, and those given."""
    others = {"entrants", "concurrency", "ray", "file", "resume", "openings"}
    parsed = match.make_context("match", ["A", "B"]).params
    return {name: value for name, value in parsed.items() if name not in others} | given


def test_the_defaults() -> None:
    """The default is a standard duel on 11x11 with the official food, at fixed nodes, without a test."""
    setup, book = read_setup(PAIR, None, options())
    assert book is None
    assert [entrant.name for entrant in setup.entrants] == list(PAIR)
    assert {entrant.limits for entrant in setup.entrants} == {MoveLimits(nodes=DEFAULT_NODES)}
    rules = setup.rules
    assert (rules.ruleset, rules.map, rules.width, rules.height) == ("standard", "standard", 11, 11)
    assert (rules.minimum_food, rules.food_spawn_chance, rules.hazard_damage) == (1, 15, 14)
    assert (setup.snakes, setup.seed, setup.strict, setup.openings, setup.test) == (2, 1, False, None, None)
    assert setup.blocks == 100


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"milliseconds": 50}, MoveLimits(milliseconds=50)),
        ({"depth": 4}, MoveLimits(depth=4)),
        ({"nodes": 500}, MoveLimits(nodes=500)),
        ({"milliseconds": 50, "depth": 4, "threads": 2}, MoveLimits(milliseconds=50, depth=4, threads=2)),
        ({"threads": 2}, MoveLimits(nodes=DEFAULT_NODES, threads=2)),
    ],
)
def test_limits(given: dict[str, int], expected: MoveLimits) -> None:
    """Given limits replace the default of nodes."""
    setup, _ = read_setup((TARGET, TARGET), None, options(**given))
    assert {entrant.limits for entrant in setup.entrants} == {expected}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"size": 7}, (7, 7)),
        ({"width": 7, "height": 9}, (7, 9)),
        ({"height": 9}, (11, 9)),
        ({"size": 19, "height": 9}, (19, 9)),
        ({"map_": "arcade_maze"}, (19, 21)),
        ({"map_": "hz_rivers_bridges_xl"}, (25, 25)),
        ({"map_": "healing_pools"}, (11, 11)),
        ({"map_": "healing_pools", "size": 7}, (7, 7)),
    ],
)
def test_sizes(given: dict[str, Any], expected: tuple[int, int]) -> None:
    """The board has the chosen sides, or else those of the map."""
    setup, _ = read_setup((TARGET, TARGET), None, options(**given))
    assert (setup.rules.width, setup.rules.height) == expected


@pytest.mark.parametrize(
    ("ruleset", "name", "expected"),
    [
        ("standard", None, "standard"),
        ("royale", None, "royale"),
        ("constrictor", None, "standard"),
        ("standard", "royale", "royale"),
        ("royale", "empty", "empty"),
    ],
)
def test_maps(ruleset: str, name: str | None, expected: str) -> None:
    """Royale is played on its own map by default; all other rulesets on the standard map."""
    setup, _ = read_setup((TARGET, TARGET), None, options(ruleset=ruleset, map_=name))
    assert (setup.rules.ruleset, setup.rules.map) == (ruleset, expected)


@pytest.mark.parametrize(
    ("entrants", "given", "snakes", "blocks"),
    [
        (2, {"games": 200}, 2, 100),
        (2, {"games": 201}, 2, 101),
        (2, {"games": 1}, 2, 1),
        (2, {"games": 10, "snakes": 4}, 4, 5),
        (3, {"games": 10}, 3, 4),
        (8, {"games": 8}, 8, 1),
        (2, {"games": 4, "ruleset": "solo"}, 1, 2),
        (9, {"games": 9, "ruleset": "solo", "snakes": 1}, 1, 1),
    ],
)
def test_snakes_and_blocks(entrants: int, given: dict[str, Any], snakes: int, blocks: int) -> None:
    """There is one snake for each entrant by default, one in solo, and enough whole blocks for the games."""
    setup, _ = read_setup((TARGET,) * entrants, None, options(**given))
    assert (setup.snakes, setup.blocks) == (snakes, blocks)


@pytest.mark.parametrize(
    ("company", "given", "snakes", "blocks"),
    [
        (2, {"games": 200}, 4, 50),
        (5, {"games": 7, "snakes": 4}, 4, 2),
        (1, {"games": 200, "snakes": 4}, 4, 50),
        (9, {"games": 200}, MAX_SNAKES, 25),
    ],
)
def test_company(company: int, given: dict[str, Any], snakes: int, blocks: int) -> None:
    """Company fills the seats: a block has as many games as snakes, so that all have every seat."""
    setup, _ = read_setup((TARGET,) * 2, None, options(company=(TARGET,) * company, **given))
    assert (setup.contenders, setup.company, len(setup.entrants)) == (2, company, 2 + company)
    assert (setup.snakes, setup.blocks) == (snakes, blocks)


def test_a_gauntlet() -> None:
    """A gauntlet has one contender, and its opponents are the company; games are against each of them."""
    setup, _ = read_gauntlet(TARGET, (TARGET,) * 9, None, options(snakes=2, games=20))
    assert (setup.contenders, setup.company, setup.snakes, setup.blocks) == (1, 9, 2, 90)


def test_a_test() -> None:
    """A test has its hypotheses, error rates and model."""
    given = {"sprt": (0.0, 10.0), "alpha": 0.1, "beta": 0.2, "model": "normalized"}
    setup, _ = read_setup((TARGET, TARGET), None, options(**given))
    assert setup.test == Sprt(0, 10, 0.1, 0.2, "normalized")


def test_openings_leave_their_digest(tmp_path: Path) -> None:
    """The setup identifies the book."""
    snakes = [{"id": name, "health": 90, "body": [{"x": x, "y": 3}]} for name, x in (("a", 1), ("b", 5))]
    board = {"width": 7, "height": 7, "snakes": snakes}
    path = tmp_path / "book"
    path.write_text(json.dumps({"game": {}, "turn": 5, "board": board, "you": {"id": "a"}}))
    setup, book = read_setup((TARGET, TARGET), path, options(size=7))
    assert book is not None
    assert setup.openings == book.digest


@pytest.mark.parametrize(
    ("entrants", "given", "words"),
    [
        (0, {}, "two entrants or more"),
        (1, {}, "two entrants or more"),
        (3, {"snakes": 2}, f"--snakes must be 3 to {MAX_SNAKES}, not 2"),
        (2, {"snakes": 9}, f"--snakes must be 2 to {MAX_SNAKES}, not 9"),
        (9, {}, f"at most {MAX_SNAKES} entrants can play, not 9"),
        (2, {"snakes": 2, "ruleset": "solo"}, "--snakes must be 1 in solo, not 2"),
        (5, {"size": 3}, "a 3x3 board has room for 4 snakes, not for 5"),
        (2, {"map_": "arcade_maze", "size": 11}, "no board of 11x11 on the map arcade_maze; valid: 19x21"),
        (5, {"map_": "hz_hazard_pits"}, "hz_hazard_pits has room for at most 4, not for 5 snakes"),
        (2, {"map_": "solo_maze"}, "solo_maze has room for at most 1, not for 2 snakes"),
        (2, {"company": [TARGET], "snakes": 2}, f"--snakes must be 3 to {MAX_SNAKES}, not 2: .*company"),
        (8, {"company": [TARGET]}, f"at most {MAX_SNAKES} entrants can play, not 9"),
        (2, {"company": [TARGET], "ruleset": "solo"}, "solo has neither company nor opponents"),
        (2, {"sprt": (10.0, 0.0)}, "elo0 must be below elo1"),
        (2, {"sprt": (0.0, 10.0), "alpha": 0.0}, "alpha and beta must be above 0"),
    ],
)
def test_invalid_options_are_rejected(entrants: int, given: dict[str, Any], words: str) -> None:
    """The error names the option and what is valid."""
    with pytest.raises(ValueError, match=words):
        read_setup((TARGET,) * entrants, None, options(**given))


def test_an_invalid_entrant_is_rejected() -> None:
    """An invalid entrant is rejected before anything is compiled or played."""
    with pytest.raises(ValueError, match=r"no strategy 'paranoid/none'; .*valid searches: paranoid, "):
        read_setup(("paranoid/area", "paranoid/none"), None, options())
