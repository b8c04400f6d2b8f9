"""Passwords of the admin side: tokens in HTTP's Bearer or Basic authentication."""

import time
from base64 import b64decode
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Container

from aiohttp import hdrs, web
from aiohttp.typedefs import Middleware

from battlesnake_search.common.access import Refusal, TokenFile, bearer
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.peers import network_of

log = get_logger(__name__)

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

Count = Callable[[str], None]
"""A function that receives the reason of a refusal: the value of a Refusal, or TOO_MANY."""

TOO_MANY = "too_many"
"""The reason of a refusal because the address has sent many wrong passwords and has to wait."""

REASONS = (*(refusal.value for refusal in Refusal), TOO_MANY)

_CHALLENGE = {hdrs.WWW_AUTHENTICATE: 'Basic realm="battlesnake", charset="UTF-8"'}

_UNGUESSABLE = 22
"""The characters of a secret with 128 random bits in base64."""

FAILURES_A_SECOND = 5
MAX_ADDRESSES = 1024


def required(
    tokens: TokenFile, count: Count, of: Container[object] | None = None, but: Container[object] = ()
) -> Middleware:
    """Return a middleware that refuses requests without a token.

    It protects the handlers `of`, by default all, except the handlers `but`.

    A browser asks its user for a name and a password: the token's name, and the token or its secret. After
    several wrong passwords, an address has to wait, except with a secret that can't be guessed.
    """
    failures = _Failures()

    @web.middleware
    async def check(request: web.Request, handler: _Handler) -> web.StreamResponse:
        asked = request.match_info.handler
        if asked in but or (of is not None and asked not in of):
            return await handler(request)
        token = _token_of(request.headers.get(hdrs.AUTHORIZATION, ""))
        found, address = tokens.check(token), request.remote or ""
        if not found.refusal and _is_unguessable(token):
            return await handler(request)
        # A browser asks its user for a password only after a 401.
        if found.refusal is not Refusal.MISSING and failures.are_too_many(network_of(address)):
            count(TOO_MANY)
            raise web.HTTPTooManyRequests(headers={hdrs.RETRY_AFTER: "1"})
        if found.refusal:
            if found.refusal is not Refusal.MISSING:
                failures.add(network_of(address))
                log.warning("password refused", name=found.name, reason=found.refusal.value, address=address)
            count(found.refusal.value)
            raise web.HTTPUnauthorized(headers=_CHALLENGE)
        return await handler(request)

    return check


def _token_of(header: str) -> str:
    """Return the token of an Authorization header; empty without a header, invalid for other schemes."""
    scheme, _, value = header.strip().partition(" ")
    if scheme.lower() != "basic":
        return bearer(header) or header
    try:
        name, _, password = b64decode(value, validate=True).decode().partition(":")
    except ValueError:
        return scheme
    # A secret has no point, so a password that begins like this is the whole token.
    return password if password.startswith(f"{name}.") else f"{name}.{password}"


def _is_unguessable(token: str) -> bool:
    """Return whether a token is too long for guesses, so that it may pass while others guess.

    The command `token` makes secrets of 256 random bits. A guess of such a secret fails at any rate, and each
    guess takes the same time. So the limit protects only the log and shorter secrets, whose digests an
    operator has computed by hand. If the limit refused a long secret, anybody behind the operator's address
    could keep the operator out by wrong passwords.
    """
    return len(token.partition(".")[2]) >= _UNGUESSABLE


class _Failures:
    """The wrong passwords of each address, or network of IPv6, in the present second."""

    def __init__(self) -> None:
        self._numbers: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def add(self, address: str) -> None:
        """Count a wrong password."""
        self._numbers[address] = _second(), self._number(address) + 1
        self._numbers.move_to_end(address)
        if len(self._numbers) > MAX_ADDRESSES:
            self._numbers.popitem(last=False)

    def are_too_many(self, address: str) -> bool:
        """Return whether the address has to wait for the next second."""
        return self._number(address) >= FAILURES_A_SECOND

    def _number(self, address: str) -> int:
        second, number = self._numbers.get(address, (0, 0))
        return number if second == _second() else 0


def _second() -> int:
    return int(time.monotonic())
