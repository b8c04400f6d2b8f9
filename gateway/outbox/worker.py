"""A thread for work on a disk, which may hang for ever."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class Worker:
    """One thread that does its work in order.

    The interpreter does not wait for it at its end, as it would for the threads of an executor.
    """

    def __init__(self, name: str) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._is_closed = False
        Thread(target=self._run, name=name, daemon=True).start()

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of work in the thread, or raise its error. Raises RuntimeError once closed."""
        if self._is_closed:
            raise RuntimeError("the thread is closed")
        future: Future[T] = Future()

        def do() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work())
            except Exception as error:
                future.set_exception(error)

        self._work.put(do)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """End the thread after its present work and all that waits."""
        self._is_closed = True
        self._work.put(None)

    def _run(self) -> None:
        while do := self._work.get():
            do()
