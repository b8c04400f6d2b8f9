"""The signals that end a service."""

import asyncio
import signal


def stopping() -> asyncio.Future[None]:
    """Return a future of the running event loop that is done once SIGTERM or SIGINT arrives."""
    loop = asyncio.get_running_loop()
    received: asyncio.Future[None] = loop.create_future()

    def receive() -> None:
        if not received.done():
            received.set_result(None)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, receive)
    return received
