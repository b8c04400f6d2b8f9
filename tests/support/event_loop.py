"""The event loop of the services, for test processes, in which threads of gRPC come and go."""

import asyncio
import threading
from asyncio import unix_events
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvloop


class EventLoop(uvloop.Loop):
    """uvloop's event loop, except that it starts processes as asyncio's own event loop does.

    uvloop forks. Before the child executes its program, it frees the objects of this process's other threads.
    If one of them is a poller of gRPC that was about to end, the child waits for it forever, and this process
    waits for the child.
    """

    async def subprocess_exec(  # type: ignore[override]
        self,
        protocol_factory: Callable[[], Any],
        program: Any,
        *args: Any,
        stdin: Any = None,
        stdout: Any = None,
        stderr: Any = None,
        **options: Any,
    ) -> Any:
        """Start a process; return its transport and its protocol."""
        protocol, is_connected = protocol_factory(), self.create_future()
        transport = unix_events._UnixSubprocessTransport(  # type: ignore[attr-defined]
            self,
            protocol,
            (program, *args),
            False,
            stdin,
            stdout,
            stderr,
            0,
            waiter=is_connected,
            **options,
        )
        threading.Thread(target=self._report_end, args=(transport,), daemon=True).start()
        await is_connected
        return transport, protocol

    def _report_end(self, transport: Any) -> None:
        """Wait in a thread for the end of a process, and report it to the loop unless that is closed."""
        status = transport.get_extra_info("subprocess").wait()
        with suppress(RuntimeError):
            self.call_soon_threadsafe(transport._process_exited, status)


async def until(condition: Callable[[], object], seconds: float = 25.0) -> None:
    """Wait until a condition holds. Raises TimeoutError after `seconds`."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


def loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Return the event loops in which the asynchronous tests of the services run."""
    return {"uvloop": EventLoop}
