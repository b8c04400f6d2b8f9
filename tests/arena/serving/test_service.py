"""The HTTP paths of a folder, over real sockets."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from arena.records import Match
from arena.report.page import page_of
from arena.serving import Folder, build
from tests.arena.serving.match_files import append, duels, line_of, write

Client = TestClient[web.Request, web.Application]


@pytest.fixture(scope="module")
def match() -> Match:
    """A match of six pairs."""
    return duels()


@pytest.fixture
async def client(tmp_path: Path, match: Match) -> AsyncIterator[Client]:
    """A client of a folder with a running match, a report, and files that are neither."""
    write(tmp_path / "a match.jsonl", match.setup, match.blocks[:5])
    (tmp_path / "report.html").write_text(page_of(match))
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
