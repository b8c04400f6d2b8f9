"""The arena: python -m arena, or battlesnake-arena where the package is installed."""

import signal
from types import FrameType

from battlesnake_search.common.launch import EXTRAS, launch


def main() -> None:
    """Run the command line. SIGTERM interrupts it as Ctrl-C does."""
    # The default is an end without cleanup. It leaves the semaphores of the worker processes behind.
    signal.signal(signal.SIGTERM, _interrupt)
    launch("arena", "arena.commands.main", EXTRAS["arena"])


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Raise SIGINT, because code that Ctrl-C must not interrupt blocks this signal."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell script starts its background processes like this.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.raise_signal(signal.SIGINT)


if __name__ == "__main__":
    main()
