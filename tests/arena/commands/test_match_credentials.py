"""Searchers behind mutual TLS that ask for a token, as entrants of a match."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.records import read_match
from battlesnake_search.common.access import new_token
from battlesnake_search.options import CREDENTIALS
from tests.arena.commands.test_match import SHORT, run
from tests.support.certificates import Files
from tests.support.searchers import searcher
from tests.support.services import free_port


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return the files of the searcher and of its callers."""
    return Files(tmp_path)


@pytest.fixture
async def target(compiled: None, files: Files) -> AsyncIterator[str]:
    """Yield the target of a real searcher with mutual TLS and tokens."""
    port, health = free_port(), f"127.0.0.1:{free_port()}"
    async with searcher(f"127.0.0.1:{port}", *files.options, health=health):
        yield f"grpcs://localhost:{port}"


def shown(files: Files) -> list[Path]:
    """Return the files of a caller in the order of the options."""
    certificates = files.certificates("client")
    assert certificates.authorities and certificates.chain and certificates.key
    return [certificates.authorities, certificates.chain, certificates.key, files.token]


def options(files: Files) -> list[str]:
    """Return the options with the files of a caller."""
    pairs = zip(CREDENTIALS, shown(files), strict=True)
    return [part for name, file in pairs for part in (f"--{name.replace('_', '-')}", str(file))]


async def test_a_match_with_a_searcher_behind_tls(target: str, files: Files, tmp_path: Path) -> None:
    """Its answers have no fault, and its credentials stay out of the match's file."""
    file = tmp_path / "match.jsonl"
    players = (f"{target},name=remote", "paranoid/area", "--games", "4", "--concurrency", "2")
    printed = await asyncio.to_thread(run, *players, *SHORT, *options(files), "--output", file)
    assert "Ended: all games are played." in printed
    match = read_match(file)
    decisions = [
        decision
        for block in match.blocks
        for game in block.games
        for turn in game.turns
        for decision in turn.decisions
        if decision
    ]
    assert decisions and not [decision for decision in decisions if decision.fault]
    written = file.read_text()
    assert files.token.read_text() not in written + printed
    assert str(files.token) not in written


async def test_a_wrong_token_is_reported_before_the_first_game(target: str, files: Files) -> None:
    """The message has the entrant, the status and the searcher's reason, and not the token."""
    text, _ = new_token("other")
    files.token.write_text(text)
    players = (f"{target},name=remote", "paranoid/area")
    printed = await asyncio.to_thread(run, *players, *SHORT, *options(files), code=1)
    assert f"Error: entrant remote: the searcher at {target} refuses calls: UNAUTHENTICATED: " in printed
    assert text not in printed
