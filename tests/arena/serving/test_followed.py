"""A match that is followed while it is played."""

import os
import time
from pathlib import Path

import msgspec
import pytest

from arena.records import Match
from arena.report.findings import standing_of
from arena.report.replays import replay_of
from arena.serving import MOST_GAMES, STILL_AFTER, FollowedMatch, UnknownFileError
from tests.arena.serving.match_files import TESTED, append, duels, line_of, write


@pytest.fixture(scope="module")
def match() -> Match:
    """A match of six pairs."""
    return duels()


def test_a_match_grows_block_by_block(tmp_path: Path, match: Match) -> None:
    """Each update reads what is new; the standing is that of all blocks, whatever the steps."""
    file = write(tmp_path / "m.jsonl", match.setup)
    followed = FollowedMatch(file)
    followed.update()
    assert followed.standing.blocks == 0 and followed.games == []
    versions = {followed.version}
    for count, block in enumerate(match.blocks, 1):
        append(file, line_of(block))
        followed.update()
        versions.add(followed.version)
        assert followed.standing == standing_of(Match(match.setup, match.blocks[:count]))
    assert len(versions) == 7
    assert [game["key"] for game in followed.games][:3] == ["0.1", "0.2", "1.1"]
    before = followed.version
    followed.update()
    assert followed.version == before


def test_a_half_written_line_waits_for_its_end(tmp_path: Path, match: Match) -> None:
    """A torn last line is no error, and is read when it is whole."""
    file = write(tmp_path / "m.jsonl", match.setup)
    line = line_of(match.blocks[0])
    append(file, line[:1000])
    followed = FollowedMatch(file)
    followed.update()
    assert followed.standing.blocks == 0
    append(file, line[1000:])
    followed.update()
    assert followed.standing.blocks == 1


def test_a_file_that_is_replaced_is_read_anew(tmp_path: Path, match: Match) -> None:
    """A match that ends sorts its blocks and replaces its file; nothing is counted twice."""
    file = write(tmp_path / "m.jsonl", match.setup, reversed(match.blocks))
    followed = FollowedMatch(file)
    followed.update()
    write(tmp_path / "new", match.setup, match.blocks).replace(file)
    followed.update()
    assert followed.standing == standing_of(match)
    assert followed.games[0]["key"] == "0.1"


def test_every_game_can_be_replayed(tmp_path: Path, match: Match) -> None:
    """A replay is read from its place in the file, in whatever order the blocks are."""
    file = write(tmp_path / "m.jsonl", match.setup, reversed(match.blocks))
    followed = FollowedMatch(file)
    followed.update()
    for block in match.blocks:
        for number, game in enumerate(block.games, 1):
            assert followed.replay(f"{block.number}.{number}") == replay_of(match.setup.rules, game)
    for key in ("9.1", "0.3", "0.0", "0", "x.y", "0.1.1", "-1.1", ""):
        with pytest.raises(UnknownFileError, match="there is no game"):
            followed.replay(key)


def test_the_state_is_known_from_the_test_and_the_file(tmp_path: Path, match: Match) -> None:
    """A match runs until its test is decided or its blocks are played, or its file has long been still."""
    file = write(tmp_path / "m.jsonl", match.setup, match.blocks)
    followed = FollowedMatch(file)
    followed.update()
    assert str(followed.state) == "running"
    long_ago = time.time() - STILL_AFTER - 1
    os.utime(file, (long_ago, long_ago))
    followed.update()
    assert str(followed.state) == "stopped"
    whole = FollowedMatch(write(file, msgspec.structs.replace(TESTED, blocks=6), match.blocks))
    whole.update()
    assert whole.state == "finished"


def test_the_newest_games_are_listed(tmp_path: Path, match: Match) -> None:
    """A long match lists its newest games, and counts all."""
    blocks = [msgspec.structs.replace(match.blocks[0], number=number) for number in range(MOST_GAMES)]
    followed = FollowedMatch(write(tmp_path / "m.jsonl", match.setup, blocks))
    followed.update()
    assert len(followed.games) == MOST_GAMES and followed.standing.games == 2 * MOST_GAMES
    assert followed.games[-1]["key"] == f"{MOST_GAMES - 1}.2"


@pytest.mark.parametrize("content", [b"", b"{", b"{}\n", b'{"record":"match"}\n'])
def test_a_file_without_a_match_is_refused(tmp_path: Path, content: bytes) -> None:
    """The error names the file."""
    file = tmp_path / "m.jsonl"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"m\.jsonl"):
        FollowedMatch(file).update()
