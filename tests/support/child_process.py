"""The end of an asynchronous child process."""

import asyncio

PATIENCE = 60.0
"""Seconds in which a killed process and its children let go of its pipes."""


async def killed(process: asyncio.subprocess.Process) -> None:
    """Kill a process that still runs, and read its pipes to their end.

    A child of the process may hold a pipe longer than the process, and uvloop closes no loop with an open
    pipe.
    """
    if process.returncode is None:
        process.kill()
    await asyncio.wait_for(process.communicate(), PATIENCE)
