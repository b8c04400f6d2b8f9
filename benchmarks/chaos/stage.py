"""The stage of games: two searchers, a relay before the first one, and the gateway's settings."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from benchmarks.chaos.relay import Relay, relay
from gateway.store.database import read_database
from gateway.store.reader import read
from tests.support.searchers import wait_until_idle
from tests.support.services import DEFAULT, ROOT, free_port


class Searcher:
    """A searcher process on a port of its own, which can be started again after its end."""

    def __init__(self, *options: str | Path, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        self.port = free_port()
        self._command = [sys.executable, "-m", "searcher", "serve", "--listen", self.target]
        self._command += map(str, options)
        self._settings = settings
        self.start()

    @property
    def target(self) -> str:
        """Its address for a gateway."""
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def start(self) -> None:
        """Start the process, without waiting until it serves."""
        environment = os.environ | {"SEARCHER_ONLY": DEFAULT, **self._settings}
        self._process = subprocess.Popen(
            self._command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    async def settled(self) -> None:
        """Wait until the process has loaded everything: a searcher that starts has less time for searches."""
        await wait_until_idle(self._process)

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        self._process.kill()
        self._process.wait()

    def pause(self) -> None:
        """Stop the process with SIGSTOP."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a stopped process go on."""
        self._process.send_signal(signal.SIGCONT)


@dataclass
class Stage:
    """The services of games. Faults change it before the gateway starts, and misbehave afterwards."""

    folder: Path
    relay: Relay
    relayed: str
    """The target of the first searcher, through the relay."""
    searchers: tuple[Searcher, Searcher]
    settings: dict[str, str] = field(default_factory=dict)
    """Environment variables of the gateway."""
    options: list[str | Path] = field(default_factory=list)
    """Further options of the gateway."""
    gateway: int = 0
    """The gateway's process id, once it is ready."""

    def __post_init__(self) -> None:
        self.target = self.relayed
        self.log = self.folder / "gateway.jsonl"
        self.outcomes = str(self.folder / "outcomes.sqlite")

    async def recorded(self) -> int:
        """Return how many outcomes are in the database, which the gateway creates soon after its start."""
        try:
            return len(await read(read_database(self.outcomes).url, ["game_id"], ["game_id"]))
        except (FileNotFoundError, sqlite3.OperationalError):
            return 0


@asynccontextmanager
async def two_searchers() -> AsyncIterator[tuple[Searcher, Searcher]]:
    """Run two searchers until the block ends."""
    searchers = Searcher(), Searcher()
    try:
        for searcher in searchers:
            await searcher.settled()
        yield searchers
    finally:
        for searcher in searchers:
            searcher.kill()


@asynccontextmanager
async def set_up(folder: Path, searchers: tuple[Searcher, Searcher]) -> AsyncIterator[Stage]:
    """Yield a stage with a relay before the first searcher."""
    async with relay(searchers[0].port) as (line, port):
        yield Stage(folder, line, f"127.0.0.1:{port}", searchers)
