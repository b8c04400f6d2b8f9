"""The ratings of versions over time."""

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from arena.version_ratings import Board, Line, read_notes, write_note
from tests.arena.match_files import write
from tests.arena.matches.made_games import block_of, duel, game_of
from tests.arena.setups import setup_of

OLD, NEW = "77aa12cd77aa12cd", "3f2a9c1b3f2a9c1b"
DAY = 86_400


def played(folder: Path, name: str, versions: tuple[str, str], wins: Iterable[float], day: int = 1) -> None:
    """Write a match of paranoid/area against another entrant: a pair of games for each two values."""
    values = list(wins)
    blocks = [
        msgspec.structs.replace(duel(one, other), number=number)
        for number, (one, other) in enumerate(zip(values[::2], values[1::2], strict=True))
    ]
    setup = setup_of("paranoid/area", "greedy" if not versions[1] else "paranoid/area", versions=versions)
    file = write(folder / f"{name}.jsonl", setup, blocks)
    os.utime(file, (day * DAY, day * DAY))


def lines_of(folder: Path) -> dict[str, Line]:
    """The lines of the board by version."""
    return {str(line.version): line for line in Board(folder).lines()}


def test_versions_are_told_apart_by_their_digests(tmp_path: Path) -> None:
    """The same version in several files is one line, whose days are those of its first and last match."""
    played(tmp_path, "a", (OLD, ""), [1, 0], day=3)
    played(tmp_path, "b", (OLD, ""), [1, 1], day=5)
    played(tmp_path, "c", (NEW, ""), [0, 0.5], day=7)
    found = lines_of(tmp_path)
    assert found.keys() == {"paranoid/area [77aa12cd]", "paranoid/area [3f2a9c1b]", "greedy"}
    old = found["paranoid/area [77aa12cd]"]
    assert (old.games, old.points) == (4, 3)
    assert [time.day for time in (old.first, old.last) if time] == [4, 6]
    assert found["greedy"].games == 6


@pytest.mark.parametrize(
    ("new", "word"),
    [([1.0] * 60, "is better than"), ([0.0] * 60, "is worse than"), ([1, 0] * 30, "No difference")],
)
def test_the_newest_version_is_compared_with_the_one_before(
    tmp_path: Path, new: list[float], word: str
) -> None:
    """A common opponent suffices."""
    played(tmp_path, "old", (OLD, ""), [1, 0] * 30, day=3)
    played(tmp_path, "new", (NEW, ""), new, day=10)
    board = Board(tmp_path)
    [(newest, former)] = board.newest_and_former()
    assert (newest.version.digest, former.version.digest) == (NEW, OLD)
    said = board.comparison(newest, former)
    assert word in said and "of 1970-01-11" in said and "of 1970-01-04" in said


def test_versions_without_a_common_opponent_are_not_compared(tmp_path: Path) -> None:
    """Their ratings say nothing about each other."""
    played(tmp_path, "old", (OLD, "0000000000000000"), [1, 0] * 9, day=3)
    played(tmp_path, "new", (NEW, ""), [1, 1] * 9, day=10)
    board = Board(tmp_path)
    by_digest = {line.version.digest: line for line in board.lines()}
    said = board.comparison(by_digest[NEW], by_digest[OLD])
    assert said.endswith("can't be compared: they have no common opponent.")


def test_ratings_are_those_that_openskills_authors_publish(tmp_path: Path) -> None:
    """The example is a game of three, by openskill.js, test/models/plackett-luce."""
    setup = setup_of("greedy", "coward", "hunter")
    write(tmp_path / "a.jsonl", setup, [block_of(game_of((0, 1, 2), (None, 9, 5)))])
    assert [(line.rating.mu, line.rating.sigma) for line in Board(tmp_path).lines()] == [
        pytest.approx((27.868876552746237, 8.204837030780652)),
        pytest.approx((25.717219138186557, 8.057829747583874)),
        pytest.approx((21.413904309067206, 8.057829747583874)),
    ]


def test_a_note_belongs_to_a_digest(tmp_path: Path) -> None:
    """Notes are kept beside the matches, one for each version."""
    played(tmp_path, "a", (OLD, ""), [1, 0])
    write_note(tmp_path, OLD, "first try")
    write_note(tmp_path, NEW, "never played")
    write_note(tmp_path, OLD, "before the change")
    assert read_notes(tmp_path) == {OLD: "before the change", NEW: "never played"}
    assert lines_of(tmp_path)["paranoid/area [77aa12cd]"].note == "before the change"


def test_matches_of_former_releases_are_read(tmp_path: Path) -> None:
    """Without versions an entrant is named by its text."""
    write(tmp_path / "a.jsonl", setup_of("paranoid/area,weight.hunger=1", "greedy"), [duel(1, 0)])
    assert lines_of(tmp_path).keys() == {"paranoid/area,weight.hunger=1", "greedy"}
