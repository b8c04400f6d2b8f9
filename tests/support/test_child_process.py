"""The end of child processes."""

import asyncio

from tests.support.child_process import killed


async def test_a_killed_process_leaves_no_open_pipe() -> None:
    """A child of the process may hold the pipe for a while longer: the pipe has been read to its end."""
    process = await asyncio.create_subprocess_shell(
        "sleep 0.5 & echo ready; wait", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    await process.stdout.readline()
    await killed(process)
    assert process.stdout.at_eof() and process.returncode
