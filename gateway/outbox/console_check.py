"""The check of a gateway's console: the command `check` of its own one, or a call to another one."""

import asyncio
import json
import os
import sys

import grpc.aio

from battlesnake_search.ports.checks import CheckResult
from battlesnake_search.searcher_client import reason_of
from gateway.outbox.link import greet
from gateway.outbox.own_console import variables
from gateway.settings import NO_CONSOLE, Settings

_CHECK = (sys.executable, "-m", "console", "check", "--json")

_CALL = 5.0
"""The most seconds for an answer of a console."""


async def check_console(settings: Settings) -> list[CheckResult]:
    """Return the results for the console of the settings."""
    if settings.console == NO_CONSOLE:
        return [CheckResult("console", "none, so games are not recorded")]
    return [await _check_other(settings)] if settings.console else await _check_own(settings)


async def _check_other(settings: Settings) -> CheckResult:
    try:
        await asyncio.wait_for(greet(settings.console, settings.console_credentials), _CALL)
    except grpc.aio.AioRpcError as error:
        reason = f"{error.code().name}: {reason_of(error)}"
    except TimeoutError:
        reason = f"no answer within {_CALL:.0f} s"
    else:
        return CheckResult("console", f"{settings.console} answers")
    remedy = "Start one there with `python -m console serve`, or correct --console."
    return CheckResult("console", f"{settings.console}: {reason}", remedy)


async def _check_own(settings: Settings) -> list[CheckResult]:
    """Return the results of the console's own command, without its address for gateways."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *_CHECK, env=os.environ | variables(settings), stdout=pipe, stderr=pipe
    )
    try:
        output, error = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    try:
        found = json.loads(output)["checks"]
    except ValueError:
        lines = error.decode(errors="replace").splitlines()
        reason = lines[-1].removeprefix("Error: ") if lines else f"exit status {process.returncode}"
        return [CheckResult("console", reason, "Correct the option or the variable.")]
    # Its own console listens on a socket in a private folder.
    return [
        CheckResult(each["subject"], each["detail"], each["remedy"])
        for each in found
        if each["subject"] != "listen"
    ]
