"""Reads the metrics of gateways over HTTP."""

import errno
import os
from collections.abc import Callable

import aiohttp

from scaling.addresses import Address
from scaling.reading import Reading, parse

_TIMEOUT = aiohttp.ClientTimeout(total=1.0)
"""Seconds. A gateway that is slower than this is too busy to count on."""


class ReadError(Exception):
    """The metrics of a gateway can't be read; the message says why."""


class Reader:
    """A client of gateways. `token` returns the one that they ask for; empty if they ask for none."""

    def __init__(self, session: aiohttp.ClientSession, token: Callable[[], str]) -> None:
        self._session = session
        self._token = token

    async def read(self, address: Address) -> Reading:
        """Return what a gateway's metrics say. Raises ReadError."""
        token = self._token()
        headers = {"Accept": "text/plain"} | ({"Authorization": f"Bearer {token}"} if token else {})
        try:
            async with self._session.get(
                f"http://{address}/metrics", headers=headers, timeout=_TIMEOUT
            ) as answer:
                text = await answer.text()
        except TimeoutError:
            raise ReadError(f"does not answer within {_TIMEOUT.total:g} s") from None
        except aiohttp.ClientConnectorError as error:
            reason = os.strerror(error.os_error.errno or errno.EHOSTUNREACH).lower()
            raise ReadError(f"can't be reached: {reason}") from error
        except (aiohttp.ClientError, ValueError) as error:
            raise ReadError(str(error)) from error
        if answer.status == 401:
            raise ReadError("refuses the token" if token else "asks for a token")
        if answer.status != 200:
            raise ReadError(f"answers with the status {answer.status}")
        try:
            return parse(text)
        except ValueError as error:
            raise ReadError(str(error)) from error
