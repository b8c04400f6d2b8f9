"""The setup of a match: defaults, and the errors of invalid options."""

import asyncio
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.commands.match import match
from arena.matches.match import DEFAULT_NODES, MatchEnd, play_match, read_setup
from arena.matches.standing import Standing
from arena.matches.workers import play_block
from arena.records import Block, MatchFile, MoveLimits, Setup, read_match
from arena.statistics.sprt import Sprt
from battlesnake_search.contract.limits import MAX_SNAKES
from tests.arena.outside_snake import OutsideSnake, running
from tests.arena.setups import setup_of, timeless_lines

PAIR = ("paranoid/area", "paranoid/length")

TARGET = "127.0.0.1:9"
"""A target needs no compilation; nobody is contacted there."""


def options(**given: Any) -> dict[str, Any]:
    """The command's options: its defaults, and those given."""
    others = {"entrants", "concurrency", "ray", "file", "resume"}
    parsed = match.make_context("match", ["A", "B"]).params
    return {name: value for name, value in parsed.items() if name not in others} | given


def test_the_defaults() -> None:
    """The default is a standard duel on 11x11 with the official food, at fixed nodes, without a test."""
    setup = read_setup(PAIR, options())
    assert [entrant.name for entrant in setup.entrants] == list(PAIR)
    assert {entrant.limits for entrant in setup.entrants} == {MoveLimits(nodes=DEFAULT_NODES)}
    rules = setup.rules
    assert (rules.ruleset, rules.map, rules.width, rules.height) == ("standard", "standard", 11, 11)
    assert (rules.minimum_food, rules.food_spawn_chance, rules.hazard_damage) == (1, 15, 14)
    assert (setup.snakes, setup.seed, setup.strict, setup.test) == (2, 1, False, None)
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
    setup = read_setup((TARGET, TARGET), options(**given))
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
    setup = read_setup((TARGET, TARGET), options(**given))
    assert (setup.rules.width, setup.rules.height) == expected


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
    setup = read_setup((TARGET,) * entrants, options(**given))
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
    setup = read_setup((TARGET,) * 2, options(company=(TARGET,) * company, **given))
    assert (setup.contenders, setup.company, len(setup.entrants)) == (2, company, 2 + company)
    assert (setup.snakes, setup.blocks) == (snakes, blocks)


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
        (2, {"company": [TARGET], "snakes": 2}, f"--snakes must be 3 to {MAX_SNAKES}, not 2: .*company"),
        (8, {"company": [TARGET]}, f"at most {MAX_SNAKES} entrants can play, not 9"),
        (2, {"company": [TARGET], "ruleset": "solo"}, "solo has neither company nor opponents"),
        (2, {"sprt": (10.0, 0.0)}, "elo0 must be below elo1"),
    ],
)
def test_invalid_options_are_rejected(entrants: int, given: dict[str, Any], words: str) -> None:
    """The error names the option and what is valid."""
    with pytest.raises(ValueError, match=words):
        read_setup((TARGET,) * entrants, options(**given))


class InOrder:
    """Workers that play at once, in a given order."""

    def __init__(self, order: Sequence[int] = ()) -> None:
        self._order = order
        self.played: list[int] = []

    def play(self, setup: Setup, numbers: Sequence[int]) -> Generator[Block]:
        """Yield blocks, as arena.matches.workers.Workers requires."""
        for number in [*self._order, *sorted(set(numbers) - set(self._order))]:
            if number in numbers:
                self.played.append(number)
                yield play_block(setup, number)


class Killed(InOrder):
    """Workers whose match is interrupted after some blocks."""

    def __init__(self, order: Sequence[int], after: int) -> None:
        super().__init__(order)
        self._after = after

    def play(self, setup: Setup, numbers: Sequence[int]) -> Generator[Block]:
        """Yield some blocks, then raise KeyboardInterrupt."""
        for block in super().play(setup, numbers):
            if len(self.played) > self._after:
                raise KeyboardInterrupt
            yield block


def run(setup: Setup, path: Path, workers: InOrder, resume: bool = False) -> tuple[Standing, MatchEnd]:
    """Play a match into a file."""
    with closing(MatchFile(path, setup, resume)) as file:
        return play_match(setup, workers, file, lambda *_: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a match's file."""
    return tmp_path / "match.jsonl"


FIVE = setup_of(*PAIR, blocks=5)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Standing]:
    """The file and the standing of an uninterrupted match of five blocks."""
    path = tmp_path_factory.mktemp("whole") / "match.jsonl"
    standing, _ = run(FIVE, path, InOrder())
    return path, standing


def test_the_order_of_ends_does_not_matter(path: Path, whole: tuple[Path, Standing]) -> None:
    """Blocks that end out of order leave the same file."""
    run(FIVE, path, InOrder([3, 4, 1, 0, 2]))
    assert timeless_lines(path) == timeless_lines(whole[0])


def test_blocks_are_counted_in_order(path: Path) -> None:
    """A block that ends early is counted when all blocks before it have ended."""
    setup = setup_of("paranoid/area", "paranoid/length", blocks=3)
    seen: list[tuple[int, int]] = []
    with closing(MatchFile(path, setup, False)) as file:
        play_match(setup, InOrder([2, 1, 0]), file, lambda now, ended: seen.append((ended, now.blocks)))
    assert seen == [(0, 0), (1, 0), (2, 0), (3, 3)]


def test_a_decided_test_ends_the_match(path: Path, tmp_path: Path) -> None:
    """Blocks played after the block that decided the test neither count nor stay in the file."""
    setup = setup_of("paranoid/area,nodes=200", "paranoid/length,nodes=20", blocks=200, test=Sprt(0, 200))
    workers = InOrder()
    standing, end = run(setup, path, workers)
    assert end is MatchEnd.DECIDED
    assert len(workers.played) == standing.blocks < 200
    ahead = tmp_path / "ahead.jsonl"
    run(setup, ahead, InOrder(range(standing.blocks + 3, -1, -1)))
    assert timeless_lines(path) == timeless_lines(ahead)


@pytest.mark.parametrize("after", [0, 3])
def test_an_interrupted_match_continues(path: Path, whole: tuple[Path, Standing], after: int) -> None:
    """Nothing is lost or played again, and the end is that of an uninterrupted match."""
    with pytest.raises(KeyboardInterrupt):
        run(FIVE, path, Killed([4, 0, 2], after))
    kept = [block.number for block in read_match(path).blocks]
    assert kept == sorted([4, 0, 2][:after])
    workers = InOrder()
    standing, _ = run(FIVE, path, workers, resume=True)
    assert sorted(workers.played + kept) == [0, 1, 2, 3, 4]
    whole_file, expected = whole
    assert timeless_lines(path) == timeless_lines(whole_file)
    assert (standing.points, standing.faults) == (expected.points, expected.faults)


async def test_two_matches_against_a_url_share_no_id() -> None:
    """The same seed repeats the starts, but a snake that records games sees new games in each match."""
    snake = OutsideSnake()
    async with running(snake) as url:
        given = options(milliseconds=500, size=7, max_turns=3)
        setups = [read_setup((url, "greedy"), given) for _ in range(2)]
        first, second = [await asyncio.to_thread(play_block, setup, 0) for setup in setups]
    assert [game.start for game in first.games] == [game.start for game in second.games]
    began = [body["game"]["id"] for path, body in snake.requests if path == "/start"]
    assert len(began) == len(set(began)) == 4
