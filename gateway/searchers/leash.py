"""Runs a command that ends when its parent does, even when the parent had no chance to end it.

Usage: leash.py PARENT COMMAND [ARGUMENT...], PARENT the process id of the one that starts it. Linux tells a
process of its parent's death; elsewhere the command is run without that. Run as a file, so that it needs
nothing but the standard library and is gone in a moment: the command takes over the process.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Become the command."""
    parent, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        # The parent may have died before the call above: then no signal comes any more.
        if os.getppid() != int(parent):
            sys.exit(1)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
