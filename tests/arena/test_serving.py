"""A folder of matches over HTTP, also while they are played."""

import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from arena.records import Match
from arena.report.findings import standing_of
from arena.report.page import page_of
from arena.report.replays import replay_of
from arena.serving import MOST_GAMES, STILL_AFTER, Folder, FollowedMatch, UnknownFileError, build
from tests.arena.match_files import TESTED, append, duels, line_of, write


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


Client = TestClient[web.Request, web.Application]


@pytest.fixture(scope="module")
def report(match: Match) -> str:
    """The report of the match."""
    return page_of(match)


@pytest.fixture
async def client(tmp_path: Path, match: Match, report: str) -> AsyncIterator[Client]:
    """A client of a folder with a running match, a report, and files that are neither."""
    write(tmp_path / "a match.jsonl", match.setup, match.blocks[:5])
    (tmp_path / "report.html").write_text(report)
    (tmp_path / "other.html").write_text("<title>mine</title>")
    (tmp_path / "broken.jsonl").write_bytes(line_of(match.setup) + b"{}\n")
    (tmp_path / "other.jsonl").write_text('{"game": 1}\n')
    (tmp_path / "deeper").mkdir()
    async with TestClient(TestServer(build(Folder(tmp_path)))) as opened:
        yield opened


async def _ask(client: Client, path: str) -> tuple[int, Any]:
    async with client.get(path) as answer:
        return answer.status, await answer.json()


async def test_a_folder_lists_matches_and_reports(client: Client) -> None:
    """Only files of the arena are listed; one that can't be read says why."""
    status, listed = await _ask(client, "/api/arena")
    assert status == 200 and [report["name"] for report in listed["reports"]] == ["report.html"]
    matches = {match["name"]: match for match in listed["matches"]}
    assert set(matches) == {"a match.jsonl", "broken.jsonl"}
    running = matches["a match.jsonl"]
    assert (running["title"], running["state"]) == ("one against two", "running")
    assert (running["blocks"], running["planned_blocks"], running["games"]) == (5, 100, 10)
    assert "broken.jsonl, byte " in matches["broken.jsonl"]["problem"]


async def test_a_file_without_permission_is_named(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is a sentence without numbers of the system and without folders."""

    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    _, answer = await _ask(client, "/api/arena")
    assert answer["error"] in {
        f"{name}.html can't be read: Permission denied" for name in ("report", "other")
    }


async def test_a_match_is_summed_up(client: Client, match: Match) -> None:
    """The summary has the test between its bounds, the pairs, the tables of the report and the games."""
    status, found = await _ask(client, "/api/arena/matches/a%20match.jsonl")
    assert status == 200
    sprt = found["sprt"]
    assert sprt["lower"] < sprt["llr"] < sprt["upper"] and sprt["decision"] == "undecided"
    assert sprt["history"][0] == [0, 0] and sprt["history"][-1] == [5, sprt["llr"]]
    assert sum(pair["count"] for pair in found["pairs"]) == 5
    assert [table["heading"] for table in found["tables"]] == ["one against two", "Entrants", "Faults"]
    assert found["picker"]["names"] == ["one", "two"] and len(found["picker"]["games"]) == 10


async def test_a_client_gets_a_match_again_only_if_it_has_grown(
    client: Client, tmp_path: Path, match: Match
) -> None:
    """The version of a match is its ETag; with the present one the answer is 304 without content."""
    path = "/api/arena/matches/a%20match.jsonl"
    async with client.get(path) as answer:
        version = answer.headers["ETag"]
    async with client.get(path, headers={"If-None-Match": version}) as answer:
        assert answer.status == 304 and await answer.read() == b""
    append(tmp_path / "a match.jsonl", line_of(match.blocks[5]))
    async with client.get(path, headers={"If-None-Match": version}) as answer:
        assert answer.status == 200 and (await answer.json())["blocks"] == 6
        assert answer.headers["ETag"] != version


async def test_a_game_is_replayed(client: Client, match: Match) -> None:
    """The replay is the one that a report holds."""
    status, replay = await _ask(client, "/api/arena/matches/a%20match.jsonl/games/2.1")
    assert status == 200 and replay["turns"] == len(match.blocks[2].games[0].turns)
    assert await _ask(client, "/api/arena/matches/a%20match.jsonl/games/7.1") == (
        404,
        {"error": "there is no game 7.1 in a match.jsonl"},
    )


async def test_a_report_is_in_a_sandbox(client: Client) -> None:
    """Its script runs as that of a page from nowhere."""
    async with client.get("/arena/reports/report.html") as answer:
        assert answer.status == 200 and answer.content_type == "text/html"
        assert answer.headers["Content-Security-Policy"] == "sandbox allow-scripts"
        version = answer.headers["ETag"]
        assert '<body>\n<p><a href="/arena.html">All matches and reports</a></p>' in await answer.text()
    async with client.get("/arena/reports/report.html", headers={"If-None-Match": version}) as answer:
        assert answer.status == 304


@pytest.mark.parametrize(
    "path",
    [
        "/arena/reports/other.html",
        "/arena/reports/..%2Fother.html",
        "/arena/reports/a%20match.jsonl",
        "/api/arena/matches/report.html",
        "/api/arena/matches/..%2F..%2Fetc%2Fpasswd",
        "/api/arena/matches/deeper",
    ],
)
async def test_nothing_else_is_served(client: Client, path: str) -> None:
    """Files of other kinds, and those outside the folder, are not found."""
    status, answer = await _ask(client, path)
    assert status == 404 and answer["error"]


async def test_a_broken_match_says_where(client: Client) -> None:
    """The answer names the file and the place in it."""
    status, answer = await _ask(client, "/api/arena/matches/broken.jsonl")
    assert status == 422 and "broken.jsonl, byte " in answer["error"]
