"""Faults of the disk and of the database."""

import asyncio
import resource
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from benchmarks.chaos.faults.fault import Fault, NotHereError, repeated
from benchmarks.chaos.stage import Stage
from tests.support.postgres import Postgres, PostgresMissingError

_DOWN = 2.0
"""Seconds."""

_SMALLEST = 1024
"""Bytes that a file may have: fewer than any that the gateway writes."""


class FullDisk(Fault):
    """A full disk below the outcomes, the recorded games and the log."""

    name = "disk full"
    sentence = "Outcomes, recorded games and the log are on a disk that is full until the games are over."
    is_short = False

    @asynccontextmanager
    async def prepared(self, stage: Stage) -> AsyncIterator[None]:
        """Mount a small disk, and put everything on it that the gateway writes."""
        self._disk = stage.folder / "disk"
        self._disk.mkdir()
        try:
            command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(self._disk)]
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            raise NotHereError("needs the right to mount a disk") from None
        stage.outcomes = str(self._disk / "outcomes.sqlite")
        stage.log = self._disk / "gateway.jsonl"
        try:
            yield
        finally:
            subprocess.run(["umount", "--lazy", str(self._disk)], check=True)

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Fill the disk."""
        filler = self._disk / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        try:
            yield
        finally:
            filler.unlink()


class FilesCannotGrow(Fault):
    """A limit on the size of files, for machines where nothing can be mounted."""

    name = "files can't grow"
    sentence = "No file of the gateway may grow until the games are over (RLIMIT_FSIZE), its log included."

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Limit the gateway's files."""
        before = resource.prlimit(stage.gateway, resource.RLIMIT_FSIZE)
        resource.prlimit(stage.gateway, resource.RLIMIT_FSIZE, (_SMALLEST, before[1]))
        try:
            yield
        finally:
            with suppress(ProcessLookupError):
                resource.prlimit(stage.gateway, resource.RLIMIT_FSIZE, before)


class DatabaseGone(Fault):
    """A database that goes away until the games are over."""

    name = "database gone"
    sentence = "PostgreSQL gets SIGKILL before the first game, and starts again after the last one."
    is_short = False

    @asynccontextmanager
    async def prepared(self, stage: Stage) -> AsyncIterator[None]:
        """Run PostgreSQL for the outcomes."""
        try:
            self._server = Postgres()
        except PostgresMissingError:
            raise NotHereError("needs PostgreSQL") from None
        with self._server:
            stage.outcomes = self._server.url
            yield

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Kill the server, and start it after the games."""
        self._server.kill()
        try:
            yield
        finally:
            await asyncio.to_thread(self._server.start)


class DatabaseRestarts(DatabaseGone):
    """A database that goes away and comes back."""

    name = "database restarts"
    sentence = "Every 4 s PostgreSQL gets SIGKILL, and starts again 2 s later."

    @asynccontextmanager
    async def on(self, stage: Stage) -> AsyncIterator[None]:
        """Kill the server and start it, again and again."""

        async def restart() -> None:
            self._server.kill()
            try:
                await asyncio.sleep(_DOWN)
            finally:
                # The relay is in this event loop.
                await asyncio.to_thread(self._server.start)

        async with repeated(restart):
            yield


FAULTS = (FullDisk(), FilesCannotGrow(), DatabaseGone(), DatabaseRestarts())
