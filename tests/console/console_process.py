"""The commands of the console, in this process and as a process of their own."""

import asyncio
import os
import sys
from collections.abc import Sequence
from unittest.mock import patch

from click.testing import Result

from console.commands.main import main
from tests.support.child_process import killed
from tests.support.commands import called

PATIENCE = 60.0
"""Seconds: far more than a command needs on a busy machine."""

Process = asyncio.subprocess.Process

COMMAND = ("-m", "console")

DEFAULTS = {"OUTCOMES_URL": "none", "ADMIN": "none"}
"""The environment of commands that have no database and no pages unless a test names them."""


def without(*packages: str) -> tuple[str, ...]:
    """Return the command of a console for which these packages are not installed."""
    missing = f"import sys; sys.modules |= dict.fromkeys({packages});"
    return "-c", f"{missing} from console.commands.main import main; main()"


PLAIN_COMMAND = without("sqlalchemy", "alembic", "aiosqlite", "asyncpg", "rich")
"""The console without any extra of this project."""


async def start(*options: str, command: Sequence[str] = COMMAND, **environment: str) -> Process:
    """Start a command as a process, with pipes for its output and its errors."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        *options,
        env=os.environ | DEFAULTS | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def fails(*options: str, command: Sequence[str] = COMMAND, **environment: str) -> tuple[int, str]:
    """Return the exit status and the error output of a process that fails."""
    process = await start(*options, command=command, **environment)
    try:
        _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    finally:
        await killed(process)
    return process.returncode or 0, error.decode()


def refused(*options: str, **environment: str) -> tuple[int, str]:
    """Return the exit status and the error output of a command that, in this process, refuses its options."""
    return _refusal(called(main, *options, **(DEFAULTS | environment)))


async def complaint(*options: str, **environment: str) -> tuple[int, str]:
    """Return the exit status and the errors of a command that may call servers of this process."""
    return _refusal(await _called(*options, **environment))


def _refusal(result: Result) -> tuple[int, str]:
    assert result.exit_code != 0, result.output
    return result.exit_code, result.stderr


async def output(*options: str) -> str:
    """Return the output of a command that succeeds in a thread of this process."""
    result = await _called(*options)
    assert result.exit_code == 0, result.output
    return result.stdout


async def _called(*options: str, **environment: str) -> Result:
    # A thread receives no signals.
    with patch.object(asyncio.SelectorEventLoop, "add_signal_handler", lambda *_: None):
        return await asyncio.to_thread(called, main, *options, **(DEFAULTS | environment))
