"""A match's file loses nothing, however the match ends."""

from pathlib import Path

import pytest

from arena.matches.workers import play_block
from arena.records import Block, MatchFile, read_match
from tests.arena.setups import setup_of

SETUP = setup_of("paranoid/area", "paranoid/length")


@pytest.fixture(scope="module")
def blocks() -> list[Block]:
    """Three blocks."""
    return [play_block(SETUP, number) for number in range(3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the file."""
    return tmp_path / "match.jsonl"


def write(path: Path, blocks: list[Block]) -> None:
    """Write a match that is then interrupted."""
    file = MatchFile(path, SETUP, resume=False)
    for block in blocks:
        file.append(block)
    file.close()


def test_blocks_are_read_as_written(path: Path, blocks: list[Block]) -> None:
    """Blocks are in the order of their numbers, whatever the order in which they ended."""
    write(path, [blocks[2], blocks[0], blocks[1]])
    match = read_match(path)
    assert (match.setup, list(match.blocks)) == (SETUP, blocks)


def test_a_file_of_a_former_release_is_read(path: Path, blocks: list[Block]) -> None:
    """A file whose setup does not mention company is that of a match without, and can be resumed."""
    write(path, blocks[:2])
    former = path.read_bytes().replace(b',"company":0', b"")
    assert former != path.read_bytes()
    path.write_bytes(former)
    assert (read_match(path).setup, list(read_match(path).blocks)) == (SETUP, blocks[:2])
    MatchFile(path, SETUP, resume=True).close()


def test_an_existing_file_is_not_overwritten(path: Path, blocks: list[Block]) -> None:
    """Without `resume` an existing file stays as it is."""
    write(path, blocks[:1])
    before = path.read_bytes()
    with pytest.raises(ValueError, match="exists; --resume continues it"):
        MatchFile(path, SETUP, resume=False)
    assert path.read_bytes() == before


@pytest.mark.parametrize("torn", [1, 20, -1])
def test_a_torn_line_is_ignored(path: Path, blocks: list[Block], torn: int) -> None:
    """Any part of a line that a kill leaves is ignored, and removed when the match continues."""
    write(path, blocks[:2])
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[2][:torn])
    assert list(read_match(path).blocks) == blocks[:2]
    file = MatchFile(path, SETUP, resume=True)
    assert list(file.earlier()) == blocks[:2]
    file.append(blocks[2])
    file.close()
    assert list(read_match(path).blocks) == blocks


def test_the_end_of_a_match_puts_blocks_in_order(path: Path, blocks: list[Block]) -> None:
    """Only the counted blocks stay."""
    file = MatchFile(path, SETUP, resume=False)
    for number in (2, 1, 0):
        file.append(blocks[number])
    file.finish(2)
    assert list(read_match(path).blocks) == blocks[:2]
    assert [path] == list(path.parent.iterdir())


def test_another_match_is_not_resumed(path: Path, blocks: list[Block]) -> None:
    """The error names the field that differs, and the file stays as it is."""
    write(path, blocks[:1])
    before = path.read_bytes()
    with pytest.raises(ValueError, match="its seed is 1, not 2"):
        MatchFile(path, setup_of("paranoid/area", "paranoid/length", seed=2), resume=True)
    assert path.read_bytes() == before


def test_a_resumed_match_keeps_its_nonce(path: Path) -> None:
    """The rest of an interrupted match has ids of the same match, and a file of a former release none."""
    was, now = (setup_of("paranoid/area", "paranoid/length", nonce=nonce) for nonce in ("was", "now"))
    MatchFile(path, was, resume=False).close()
    file = MatchFile(path, now, resume=True)
    file.close()
    assert (file.setup, read_match(path).setup) == (was, was)
    path.write_bytes(path.read_bytes().replace(b',"nonce":"was"', b""))
    file = MatchFile(path, now, resume=True)
    file.close()
    assert file.setup == SETUP


def test_other_content_is_reported_with_its_line(path: Path, blocks: list[Block]) -> None:
    """An empty file, another file and a file with a wrong line are errors that name the line."""
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="the file has no whole line"):
        read_match(path)
    path.write_bytes(b"{}\n")
    with pytest.raises(ValueError, match=r"match\.jsonl, line 1: this is not the file of a match"):
        read_match(path)
    path.write_bytes(b'{"record":"match"}\n')
    with pytest.raises(ValueError, match=r"match\.jsonl, line 1: .*entrants"):
        read_match(path)
    path.unlink()
    write(path, blocks[:1])
    path.write_bytes(path.read_bytes() + b'{"record":"block","number":"x"}\n')
    with pytest.raises(ValueError, match=r"match.jsonl, line 3: .*number"):
        read_match(path)
