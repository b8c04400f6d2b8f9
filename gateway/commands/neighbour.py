"""The port of a snake that the console of another snake has taken.

The console of a snake on 8000 is on 8001, so it may be there before a snake that is started on 8001. The
user of this snake need not know of the other one's console. So the gateway asks the console to go to another
port. Only a console whose port nobody chose does so. If both shared the port by SO_REUSEPORT, the console
would get requests of the engine.
"""

import errno
from contextlib import suppress

import aiohttp

from battlesnake_search.ports.admin_address import LOOPBACK, YIELD_PATH

_PATIENCE = aiohttp.ClientTimeout(2.0)


async def has_made_room(port: int, error: OSError) -> bool:
    """Return whether a console has left the port, whose use failed with the error."""
    if error.errno != errno.EADDRINUSE:
        return False
    with suppress(aiohttp.ClientError, TimeoutError):
        async with (
            aiohttp.ClientSession(f"http://{LOOPBACK}:{port}", timeout=_PATIENCE) as session,
            session.post(YIELD_PATH, json={}) as answer,
        ):
            return answer.status == 200
    return False
