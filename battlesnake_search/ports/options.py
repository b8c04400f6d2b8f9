"""The options of an admin port: its address and its tokens."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from battlesnake_search.ports.admin_address import AdminAddress, read_address

if TYPE_CHECKING:
    from battlesnake_search.common.access import TokenFile

NONE = "none"
"""The value of an option without an admin port."""

TOKENS_NEEDED = (
    "every caller that reaches {} would see {}: give a file of tokens with --admin-tokens or ADMIN_TOKENS. "
    "`python -m gateway token NAME >> FILE` makes one."
)


def read_admin(value: str, public_port: int | None, tokens: "TokenFile | None") -> AdminAddress | None:
    """Return the address of the admin port; `public_port` is None if nobody chose the public port.

    Raises BadParameter for an invalid address, and for a network address without a token file.
    """
    if value == NONE:
        return None
    try:
        address = read_address(value, public_port)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--admin'") from error
    if not address.is_loopback and tokens is None:
        raise click.BadParameter(TOKENS_NEEDED.format(address.host, "every game"), param_hint="'--admin'")
    return address


def _read_tokens(_context: click.Context, _option: click.Parameter, value: Path | None) -> "TokenFile | None":
    if value is None:
        return None
    # Only commands that read tokens wait for this import.
    from battlesnake_search.common.access import TokenFile

    try:
        return TokenFile(value)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.BadParameter(f"{value}: {reason}") from error


def _check_admin(_context: click.Context, _option: click.Parameter, value: str) -> str:
    if value != NONE:
        try:
            read_address(value, 0)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error
    return value


def admin_options(default: str, uses: str) -> tuple[Callable[..., Any], ...]:
    """Return the options, in the order of the help.

    `default` describes the default address, and `uses` names the options that need tokens.
    """
    return (
        click.option(
            "--admin",
            callback=_check_admin,
            default="",
            metavar="HOST:PORT|none",
            show_default=default,
            envvar="ADMIN",
            show_envvar=True,
            help="Address of the console, its API, /metrics and /experiments. An address outside this "
            "machine needs --admin-tokens.",
        ),
        click.option(
            "--admin-tokens",
            type=click.Path(path_type=Path),
            callback=_read_tokens,
            envvar="ADMIN_TOKENS",
            show_envvar=True,
            metavar="FILE",
            help=f"File of the tokens for {uses}; `token` makes them.",
        ),
    )
