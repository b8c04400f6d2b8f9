"""Why a gateway can't listen on its address, for people."""

import errno
import os

_REMEDIES = {
    errno.EADDRINUSE: "Stop the program that listens there, or choose another port with --port or PORT.",
    errno.EADDRNOTAVAIL: "Give an address of this machine with --host.",
    errno.EACCES: "Ports below 1024 need privileges: choose another with --port or PORT.",
}

_OTHER_REMEDY = "Name another address with --host and --port."


def refusal_of(host: str, port: int, error: OSError) -> tuple[str, str]:
    """Return why a server can't listen on an address, and the remedy."""
    # asyncio on Python 3.13 and later raises an error without a number if the address is not this machine's.
    number = error.errno or errno.EADDRNOTAVAIL
    remedy = _REMEDIES.get(number, _OTHER_REMEDY)
    # The text of asyncio's own errors repeats the address.
    reason = os.strerror(number).lower() if number in _REMEDIES else error.strerror
    return f"can't listen on {host}, port {port}: {reason}", remedy
