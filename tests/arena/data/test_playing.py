"""Games to learn from, and the random moves in them."""

from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest

from arena.data import playing
from arena.data.files import UNKNOWN_MOVE, BadDataError, read_columns
from arena.data.playing import free_moves, part_path, play_data, play_part
from arena.matches.workers import LocalWorkers
from searcher.engine.position import Direction, Position, Ruleset, Snake
from tests.arena.data.setups import SETUP

pytestmark = pytest.mark.usefixtures("plays_here", "few_games")

FEW = 6
"""The games of a part in these tests."""


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play fewer games in a part."""
    monkeypatch.setattr(playing, "GAMES_IN_PART", FEW)


def test_a_part_is_the_same_each_time(tmp_path: Path) -> None:
    """Another number gives other games."""
    first, again, other = tmp_path / "a", tmp_path / "b", tmp_path / "c"
    for folder, number in ((first, 1), (again, 1), (other, 2)):
        folder.mkdir()
        assert play_part(SETUP, folder, number) == pq.read_table(part_path(folder, number)).num_rows
    one, same = (pq.read_table(part_path(folder, 1)) for folder in (first, again))
    assert one == same
    assert one != pq.read_table(part_path(other, 2))


def test_weights_vary_within_their_bounds(tmp_path: Path) -> None:
    """Without variation the games are others."""
    plain = msgspec.structs.replace(SETUP, players=SETUP.players[:1], vary=0.0)
    varied = msgspec.structs.replace(plain, vary=2.0)
    tables = []
    for name, setup in (("plain", plain), ("varied", varied)):
        folder = tmp_path / name
        folder.mkdir()
        play_part(setup, folder, 0)
        tables.append(pq.read_table(part_path(folder, 0)))
    assert tables[0] != tables[1]


def test_random_moves_are_left_out(tmp_path: Path) -> None:
    """They say nothing of what a snake would do."""
    play_part(msgspec.structs.replace(SETUP, explore=0.5), tmp_path, 0)
    unknown = read_columns(tmp_path).snakes.move == UNKNOWN_MOVE
    assert 0.3 < unknown.mean() < 0.6


def test_a_folder_is_continued(tmp_path: Path) -> None:
    """Parts that are there stay as they are, and what is missing is played."""
    seen: list[tuple[int, int]] = []
    play_data(SETUP, 2, tmp_path, LocalWorkers(2), lambda *counts: seen.append(counts))
    assert [done for done, _ in seen] == [0, 1, 2]
    kept = part_path(tmp_path, 1).stat()
    part_path(tmp_path, 0).unlink()
    again: list[tuple[int, int]] = []
    play_data(SETUP, 2, tmp_path, LocalWorkers(1), lambda *counts: again.append(counts))
    assert [done for done, _ in again] == [1, 2] and again[-1] == seen[-1]
    assert part_path(tmp_path, 1).stat().st_mtime_ns == kept.st_mtime_ns


def test_a_folder_has_games_of_one_setup(tmp_path: Path) -> None:
    """The error says what differs."""
    play_data(SETUP, 0, tmp_path, LocalWorkers(1), lambda *_: None)
    other = msgspec.structs.replace(SETUP, seed=2, vary=0.5)
    with pytest.raises(BadDataError, match="games with other seed, vary: choose another folder"):
        play_data(other, 0, tmp_path, LocalWorkers(1), lambda *_: None)


@pytest.mark.parametrize(
    ("ruleset", "moves"),
    [("standard", {Direction.UP}), ("wrapped", {Direction.UP, Direction.LEFT})],
)
def test_free_moves_hit_neither_wall_nor_body(ruleset: str, moves: set[Direction]) -> None:
    """A tail moves on; on a wrapped board there is no wall."""
    snakes = (Snake("a", 90, ((0, 1), (1, 1), (1, 2), (0, 2))), Snake("b", 90, ((0, 0), (1, 0), (2, 0))))
    position = Position(5, 5, snakes, ruleset=Ruleset(ruleset))
    assert set(free_moves(position)) == moves
