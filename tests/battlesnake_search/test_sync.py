"""The client for programs without an event loop, against a real searcher."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from battlesnake_search import SearchError, SyncSearchClient
from tests.battlesnake_search.bodies import BODY
from tests.support.services import ROOT, free_port


def test_a_search(target: str) -> None:
    """The result is that of the asynchronous client."""
    with SyncSearchClient(target) as client:
        result = client.search(BODY, "paranoid/hungry", time=5.0, depth=4)
        assert (result.depth, result.final) == (4, True)
        assert "paranoid" in client.strategies().searches


def test_a_stream_ends_when_its_reader_stops(target: str) -> None:
    """A client can search again at once."""
    with SyncSearchClient(target) as client:
        with closing(client.stream(BODY, "paranoid/hungry", time=60.0)) as results:
            first = next(results)
        assert not first.final
        depths = [result.depth for result in client.stream(BODY, "paranoid/hungry", time=5.0, depth=6)]
    assert depths[-1] == 6


def test_threads_share_a_client(target: str) -> None:
    """Their searches go on side by side."""
    with SyncSearchClient(target) as client, ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda depth: client.search(BODY, time=10.0, depth=depth), [1, 2, 3, 4]))
    assert [result.depth for result in found] == [1, 2, 3, 4]


def test_errors_reach_the_caller() -> None:
    """As they are."""
    with SyncSearchClient(f"127.0.0.1:{free_port()}") as client:
        with pytest.raises(SearchError, match="UNAVAILABLE"):
            client.search(BODY, time=0.2)
        with pytest.raises(ValueError, match="time"):
            client.search(BODY, time=-1.0)
        with pytest.raises(SearchError, match="UNAVAILABLE"):
            list(client.stream(BODY, time=0.2))


PROGRAM = """
import sys
from battlesnake_search import SyncSearchClient
from tests.battlesnake_search.bodies import BODY

client = SyncSearchClient(sys.argv[1])
print(client.search(BODY, "paranoid/hungry", time=10.0, depth=2).depth)
"""
STREAM = """
results = client.stream(BODY, "paranoid/hungry", time=60.0)
next(results)
"""
ENDS = {
    "without closing": "",
    "closed twice": "client.close()\nclient.close()",
    "a stream is read": STREAM,
    "closed while a stream is read": STREAM + "client.close()",
    "forgotten while a stream is read": STREAM + "del client, results",
    "one client after another": """
for _ in range(5):
    with SyncSearchClient(sys.argv[1]) as client:
        next(client.stream(BODY, "paranoid/hungry", time=60.0))
""",
    "an error": "raise SystemExit",
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
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


def test_a_closed_client_searches_no_more(target: str) -> None:
    """The error is raised at once."""
    client = SyncSearchClient(target)
    client.close()
    with pytest.raises(RuntimeError, match="the client is closed"):
        client.search(BODY, time=5.0)
