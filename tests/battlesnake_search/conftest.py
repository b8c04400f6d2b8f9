"""A real searcher for the tests of clients."""

import os
import subprocess
import sys
from collections.abc import Iterator

import grpc
import pytest

from tests.support.searchers import PATIENCE
from tests.support.services import DEFAULT, ROOT, free_port


@pytest.fixture(scope="package")
def target(compiled: None) -> Iterator[str]:
    """Yield the target of a searcher that may still be starting."""
    address = f"127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "searcher", "serve", "--listen", address]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"SEARCHER_ONLY": DEFAULT})
    try:
        with grpc.insecure_channel(address) as channel:
            grpc.channel_ready_future(channel).result(timeout=PATIENCE)
        yield address
    finally:
        process.terminate()
        process.wait()
