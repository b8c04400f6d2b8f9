"""The asynchronous client, against a real searcher and scripted ones."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from copy import deepcopy

import grpc
import pytest

from battlesnake_search import SearchClient, SearchError, SyncSearchClient, searcher_client
from tests.battlesnake_search.samples import BODY, TEXT
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService
from tests.support.services import ROOT, free_port

MOVES = {"up", "down", "left", "right"}


async def test_a_body_as_it_comes_leads_to_a_move(target: str) -> None:
    """Bytes, text and a parsed object are equivalent. With a limit of depth, answers repeat."""
    async with SearchClient(target) as client:
        bodies = (BODY, TEXT, TEXT.encode())
        results = [await client.search(body, "paranoid/hungry", time=5.0, depth=4) for body in bodies]
    assert {(result.move, result.score, result.nodes) for result in results} == {
        (results[0].move, results[0].score, results[0].nodes)
    }
    result = results[0]
    assert result.move in MOVES
    assert (result.depth, result.stop, result.final, result.strategy) == (4, "depth", True, "paranoid/hungry")
    assert result.moves[0].move == result.move
    assert result.pv[0][BODY["you"]["id"]] == result.move


async def test_each_move_may_have_its_own_score(target: str) -> None:
    """In a search for a move, the scores of worse moves are upper bounds."""
    async with SearchClient(target) as client:
        played, exact = [
            await client.search(BODY, "paranoid/hungry", depth=4, exact=exact) for exact in (False, True)
        ]
    assert {each.exact for each in played.moves} == {True, False}
    assert [each.exact for each in exact.moves] == [True] * len(played.moves)
    bounds = {each.move: each.score for each in played.moves}
    assert all(each.score <= bounds[each.move] for each in exact.moves)


async def test_a_game_is_analyzed(target: str) -> None:
    """Each position has a result with exact scores, and the owners of its cells if they are asked for."""
    bodies = [BODY | {"turn": turn} for turn in (1, 2, 3)]
    async with SearchClient(target) as client:
        found = [
            each
            async for each in client.analyze_game(
                bodies, "paranoid/hungry", depth=3, avoid=["left"], ownership=True
            )
        ]
        [plain] = [each async for each in client.analyze_game([TEXT], played=["down"], nodes=500)]
    assert sorted(each.index for each in found) == [0, 1, 2]
    ids = {None, *(snake["id"] for snake in BODY["board"]["snakes"])}
    for each in found:
        assert (each.result.depth, each.result.stop, each.result.final) == (3, "depth", True)
        assert "left" not in [root.move for root in each.result.moves]
        assert all(root.exact for root in each.result.moves)
        assert each.owners is not None
        assert [len(row) for row in each.owners] == [11] * 11
        assert {owner for row in each.owners for owner in row} <= ids
        head = BODY["you"]["body"][0]
        assert each.owners[head["y"]][head["x"]] == BODY["you"]["id"]
    assert plain.owners is None
    assert "down" in [root.move for root in plain.result.moves]


async def test_a_large_game_is_sent_in_parts(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The indices are those of the whole game, and the last answer alone is final."""
    monkeypatch.setattr(searcher_client, "_LARGEST_PART", 3000)
    async with SearchClient(target) as client:
        found = [each async for each in client.analyze_game([BODY] * 20, "paranoid/hungry", depth=1)]
    assert sorted(each.index for each in found) == list(range(20))
    assert found[-1].index > 10


async def test_refusals_of_a_game(target: str) -> None:
    """A move is missing, an option is unknown, or the searcher refuses the strategy."""
    async with SearchClient(target) as client:
        with pytest.raises(ValueError, match="played: expected a move for each of 2 positions, got 1"):
            await anext(client.analyze_game([BODY] * 2, played=["up"]))
        with pytest.raises(TypeError, match="unknown option threads"):
            await anext(client.analyze_game([BODY], threads=2))  # type: ignore[call-arg]
        with pytest.raises(SearchError, match=r"INVALID_ARGUMENT: strategy\.search") as refusal:
            await anext(client.analyze_game([BODY], "deep/hungry"))
    assert refusal.value.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_depths_arrive_as_they_complete(target: str) -> None:
    """Each result of a stream is at least as deep as the one before, and the last one alone is final."""
    async with SearchClient(target) as client:
        results = [each async for each in client.stream(BODY, "paranoid/hungry", time=5.0, nodes=2_000_000)]
    depths = [result.depth for result in results]
    assert depths == sorted(depths)
    assert len(results) > 1
    assert [result.final for result in results] == [*[False] * (len(results) - 1), True]


async def test_no_searcher_listens() -> None:
    """The client tries until the time is over, and raises an error with the reason."""
    async with SearchClient(f"127.0.0.1:{free_port()}") as client:
        with pytest.raises(SearchError) as raised:
            await client.search(BODY, time=0.2)
    assert raised.value.code is grpc.StatusCode.UNAVAILABLE


async def test_a_silent_searcher_is_a_timeout() -> None:
    """The error has the code for it."""
    service = ScriptedService(scripted_searcher.never)
    async with scripted_searcher.searcher(service) as target, SearchClient(target) as client:
        with pytest.raises(SearchError) as raised:
            await client.search(BODY, time=0.2)
    assert raised.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_position_that_the_searcher_refuses(target: str) -> None:
    """The error names the field."""
    body = deepcopy(BODY)
    own = next(snake for snake in body["board"]["snakes"] if snake["id"] == body["you"]["id"])
    body["you"]["body"] = own["body"] = [{"x": 50, "y": 50}, *own["body"]]
    async with SearchClient(target) as client:
        with pytest.raises(SearchError, match=r"position\.board\.snakes\[\d\]\.body\[0\]") as raised:
            await client.search(body, time=0.3)
    assert raised.value.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_weights_without_a_strategy(target: str) -> None:
    """They are weights of the strategy that completes incomplete ones, and not of the default strategy."""
    async with SearchClient(target) as client:
        plain = await client.search(BODY, depth=1)
        weighted = await client.search(BODY, depth=1, weights={"hunger": 0.1})
    assert plain.strategy == "crowd/hungry"
    assert weighted.strategy == "paranoid/balanced"


def test_a_stream_ends_when_its_reader_stops(target: str) -> None:
    """A client can search again at once."""
    with SyncSearchClient(target) as client:
        with closing(client.stream(BODY, "paranoid/hungry", time=60.0)) as results:
            first = next(results)
        assert not first.final
        depths = [result.depth for result in client.stream(BODY, "paranoid/hungry", time=5.0, depth=6)]
    assert depths[-1] == 6


def test_threads_share_a_client(target: str) -> None:
    """Their searches run at the same time."""
    with SyncSearchClient(target) as client, ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda depth: client.search(BODY, time=10.0, depth=depth), [1, 2, 3, 4]))
    assert [result.depth for result in found] == [1, 2, 3, 4]


FAILED = """
import sys
from battlesnake_search import SearchError, SyncSearchClient

try:
    SyncSearchClient(sys.argv[1]).strategies()
except SearchError as error:
    print(error)
"""


def test_a_failed_handshake_is_no_line_of_a_log(target: str) -> None:
    """The error has the cause, so gRPC's own log is off."""
    done = subprocess.run(
        [sys.executable, "-c", FAILED, f"grpcs://{target}"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "GRPC_VERBOSITY"},
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert "the port speaks no TLS" in done.stdout and not done.stderr


PROGRAM = """
import sys
from battlesnake_search import SyncSearchClient
from tests.battlesnake_search.samples import BODY

client = SyncSearchClient(sys.argv[1])
print(client.search(BODY, "paranoid/hungry", time=10.0, depth=2).depth)
"""
STREAM = """
results = client.stream(BODY, "paranoid/hungry", time=60.0)
next(results)
"""
ENDS = {
    "a stream is read": STREAM,
    "forgotten while a stream is read": STREAM + "del client, results",
    "one client after another": """
for _ in range(5):
    with SyncSearchClient(sys.argv[1]) as client:
        next(client.stream(BODY, "paranoid/hungry", time=60.0))
""",
    "a forked process": """
import os
if not os.fork():
    for work in (client.strategies, lambda: SyncSearchClient(sys.argv[1])):
        try:
            work()
        except RuntimeError as error:
            assert "forked process" in str(error)
    raise SystemExit
os.wait()
""",
    "beside a client with an event loop": """
import asyncio
from battlesnake_search import SearchClient

async def main():
    async with SearchClient(sys.argv[1]) as other:
        assert [each async for each in other.stream(BODY, depth=4)]

for _ in range(10):
    asyncio.run(main())
    client.search(BODY, time=10.0, depth=2)
client.close()
""",
}


@pytest.mark.parametrize("end", ENDS)
def test_a_program_ends(target: str, end: str) -> None:
    """It ends without waiting for its searches, and prints no more than its result."""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", PROGRAM + ENDS[end], target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
    )
    # gRPC itself notes each fork, and asyncio each step of a task that takes long on a busy machine.
    noted = re.compile(r".*skipping fork\(\) handlers.*|Executing <.* took [\d.]+ seconds")
    errors = [line for line in done.stderr.splitlines() if not noted.fullmatch(line)]
    assert (done.returncode, done.stdout, errors) == (0, "2\n", [])
