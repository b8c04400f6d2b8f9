"""Why a gateway can't listen, in the words of its errors."""

import asyncio
import errno

import pytest

from gateway.commands.listening import refusal_of


async def _error(host: str) -> OSError:
    """Return the error of listening on an address."""
    loop = asyncio.get_running_loop()
    with pytest.raises(OSError) as raised:
        await loop.create_server(asyncio.Protocol, host, 0)
    return raised.value


async def test_the_address_of_another_machine() -> None:
    """The remedy is an address of this machine."""
    assert refusal_of("192.0.2.1", 0, await _error("192.0.2.1")) == (
        "can't listen on 192.0.2.1, port 0: cannot assign requested address",
        "Give an address of this machine with --host.",
    )


def test_an_error_without_a_number() -> None:
    """asyncio raises it, on some versions of Python, for an address of another machine."""
    reason, remedy = refusal_of("192.0.2.1", 80, OSError("could not bind on any address"))
    assert reason == "can't listen on 192.0.2.1, port 80: cannot assign requested address"
    assert remedy == "Give an address of this machine with --host."


async def test_a_name_without_an_address() -> None:
    """The reason is the resolver's."""
    error = await _error("nobody.invalid")
    reason, remedy = refusal_of("nobody.invalid", 0, error)
    assert reason == f"can't listen on nobody.invalid, port 0: {error.strerror}"
    assert remedy == "Name another address with --host and --port."


def test_a_port_that_needs_privileges() -> None:
    """The remedy is another port."""
    assert refusal_of("0.0.0.0", 80, PermissionError(errno.EACCES, "error while attempting to bind")) == (
        "can't listen on 0.0.0.0, port 80: permission denied",
        "Ports below 1024 need privileges: choose another with --port or PORT.",
    )
