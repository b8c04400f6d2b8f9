"""The results of a command `check`, and the check of an address to listen on."""

import asyncio
import errno
import json
import os
from collections.abc import AsyncIterable
from dataclasses import asdict, dataclass

import click

from battlesnake_search.ports.admin_address import ADMIN_REMEDY, DEFAULT_PORT, AdminAddress


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check. `remedy` is empty if it passed."""

    subject: str
    detail: str
    remedy: str = ""

    @property
    def passed(self) -> bool:
        """Whether the check has passed."""
        return not self.remedy

    def __str__(self) -> str:
        found = f"{self.detail.removesuffix('.')}. {self.remedy}" if self.remedy else self.detail
        return f"{'ok' if self.passed else 'FAIL':6}{self.subject:10}{found}"


async def reported(checks: AsyncIterable[CheckResult], as_json: bool) -> bool:
    """Print each result as soon as it is known, or all of them as JSON. Return whether all have passed."""
    results = []
    async for result in checks:
        results.append(result)
        if not as_json:
            click.echo(str(result))
    failed = sum(not result.passed for result in results)
    if as_json:
        listed = [asdict(result) | {"passed": result.passed} for result in results]
        click.echo(json.dumps({"passed": not failed, "checks": listed}, indent=2))
    else:
        click.echo(f"{failed} of {len(results)} checks failed" if failed else "everything would work")
    return not failed


async def check_address(subject: str, host: str, port: int, remedy: str = "") -> CheckResult:
    """Return whether a server could listen on an address. `remedy` replaces the one of a gateway."""
    if error := await _refused(host, port):
        reason, usual = refusal_of(host, port, error)
        return CheckResult(subject, reason, remedy or usual)
    return CheckResult(subject, f"{host}, {f'port {port} is free' if port else 'any free port'}")


async def check_admin(admin: AdminAddress) -> CheckResult:
    """Return whether the pages of a console could be served at an address."""
    error = None if admin.is_chosen else await _refused(admin.host, admin.port)
    if error and error.errno == errno.EADDRINUSE:
        return CheckResult(
            "admin", f"{admin.host}, port {admin.port} is in use, so a free port takes its place"
        )
    return await check_address("admin", admin.host, admin.port, ADMIN_REMEDY)


async def _refused(host: str, port: int) -> OSError | None:
    """Return the error of listening on an address; None without an error."""
    try:
        server = await asyncio.get_running_loop().create_server(asyncio.Protocol, host, port)
    except OSError as error:
        return error
    server.close()
    return None


_REMEDIES = {
    errno.EADDRINUSE: "Stop the program that listens there, or choose another port with --port or PORT.",
    errno.EADDRNOTAVAIL: "Give an address of this machine with --host.",
    errno.EACCES: "Ports below 1024 need privileges: choose another with --port or PORT.",
}

_BESIDE_A_DEFAULT = (
    f" Without --port, a gateway has its console at {DEFAULT_PORT}: give each of several snakes its --port."
)

_OTHER_REMEDY = "Name another address with --host and --port."


def refusal_of(host: str, port: int, error: OSError) -> tuple[str, str]:
    """Return the reason why a server can't listen on an address, and the remedy."""
    # asyncio on Python 3.13 and later raises an error without a number if the address is not this machine's.
    number = error.errno or errno.EADDRNOTAVAIL
    remedy = _REMEDIES.get(number, _OTHER_REMEDY)
    if number == errno.EADDRINUSE and port == DEFAULT_PORT:
        remedy += _BESIDE_A_DEFAULT
    # The text of asyncio's own errors repeats the address.
    reason = os.strerror(number).lower() if number in _REMEDIES else error.strerror
    return f"can't listen on {host}, port {port}: {reason}", remedy
