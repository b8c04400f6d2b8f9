"""A launcher for a command that ends with its parent, even when the parent is killed.

Usage: leash.py PARENT SIGNAL COMMAND [ARGUMENT...], where PARENT is the process id of the caller. Linux sends
SIGNAL, a number, to the process when its parent dies. On other systems the command runs without this signal.
The launcher runs as a file and imports only the standard library, so it starts fast. Then the command
replaces the launcher in the same process.
"""

import ctypes
import os
import sys

_PR_SET_PDEATHSIG = 1
"""From Linux' sys/prctl.h."""


def main() -> None:
    """Replace this process with the command."""
    parent, signal, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(signal))
        # If the parent died before the call above, the signal would never come.
        if os.getppid() != int(parent):
            sys.exit(1)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
