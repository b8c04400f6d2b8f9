"""The commands of a program, in this process and as a process of their own."""

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from unittest.mock import patch

import click
from click.testing import Result

from tests.support.child_process import killed
from tests.support.commands import called

PATIENCE = 60.0
"""Seconds: far more than a program needs to start on a busy machine."""

Process = asyncio.subprocess.Process


@dataclass(frozen=True)
class Program:
    """A program: its package, its command, and the environment unless a test names another one."""

    package: str
    main: click.Command
    defaults: dict[str, str]

    @property
    def command(self) -> tuple[str, ...]:
        """Python's arguments that run it."""
        return "-m", self.package

    def without(self, *packages: str) -> tuple[str, ...]:
        """Return the command of a program for which these packages are not installed."""
        missing = f"import sys; sys.modules |= dict.fromkeys({packages});"
        return "-c", f"{missing} from {self.package}.commands.main import main; main()"

    async def start(
        self, *options: str, command: Sequence[str] = (), log: str = "", **environment: str
    ) -> Process:
        """Start a process.

        Its log goes to the named file, or to a pipe that holds the log of at most a hundred moves.
        """
        with open(log, "wb") if log else nullcontext(asyncio.subprocess.PIPE) as errors:
            return await asyncio.create_subprocess_exec(
                sys.executable,
                *(command or self.command),
                *options,
                env=os.environ | self.defaults | environment,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
            )

    async def fails(self, *options: str, command: Sequence[str] = (), **environment: str) -> tuple[int, str]:
        """Return the exit status and the error output of a process that fails."""
        process = await self.start(*options, command=command, **environment)
        try:
            _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
        finally:
            await killed(process)
        return process.returncode or 0, error.decode()

    def refused(self, *options: str, **environment: str) -> tuple[int, str]:
        """Return the exit status and the error output of a command that refuses its options here."""
        return _refusal(called(self.main, *options, **(self.defaults | environment)))

    async def complaint(self, *options: str, **environment: str) -> tuple[int, str]:
        """Return what `refused` does, for a command that may call servers of this process."""
        return _refusal(await self._called(*options, **environment))

    async def output(self, *options: str) -> str:
        """Return the output of a command that succeeds in a thread of this process."""
        result = await self._called(*options)
        assert result.exit_code == 0, result.output
        return result.stdout

    async def _called(self, *options: str, **environment: str) -> Result:
        # A thread receives no signals.
        with patch.object(asyncio.SelectorEventLoop, "add_signal_handler", lambda *_: None):
            return await asyncio.to_thread(called, self.main, *options, **{**self.defaults, **environment})


def _refusal(result: Result) -> tuple[int, str]:
    assert result.exit_code != 0, result.output
    return result.exit_code, result.stderr
