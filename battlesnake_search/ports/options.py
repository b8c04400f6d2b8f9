"""The options of an admin port: its address and its tokens."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from battlesnake_search.common.cli import in_words, reading, variable_option
from battlesnake_search.ports.admin_address import DEFAULT_PORT, LOOPBACK, AdminAddress, read_address

if TYPE_CHECKING:
    from battlesnake_search.common.access import TokenFile

NONE = "none"
"""The value of an option without an admin port."""

TOKENS_NEEDED = (
    "every caller that reaches {} would see {}: give a file of tokens with --admin-tokens or ADMIN_TOKENS. "
    "`python -m gateway token NAME >> FILE` makes one."
)


def read_admin(value: str, tokens: "TokenFile | None", public_port: int = 0) -> AdminAddress | None:
    """Return the address of the admin port; `public_port` is the port of the snake, 0 if it is unknown.

    Raises BadParameter for an invalid address, and for a network address without a token file.
    """
    if value == NONE:
        return None
    if not value:
        return AdminAddress(LOOPBACK, DEFAULT_PORT, is_chosen=False)
    try:
        address = read_address(value, public_port)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--admin'") from error
    if not address.is_loopback and tokens is None:
        raise click.BadParameter(TOKENS_NEEDED.format(address.host, "every game"), param_hint="'--admin'")
    return address


def _read_tokens(file: str) -> "TokenFile":
    # Only commands that read tokens wait for this import.
    from battlesnake_search.common.access import TokenFile

    try:
        return TokenFile(Path(file))
    except OSError as error:
        raise ValueError(in_words(error)) from error
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _checked_admin(address: str) -> str:
    if address not in ("", NONE):
        read_address(address)
    return address


def admin_options(default: str, uses: str) -> tuple[Callable[..., Any], ...]:
    """Return the options, in the order of the help.

    `default` describes the default address, and `uses` names the options that need tokens.
    """
    return (
        variable_option(
            "--admin",
            callback=reading(_checked_admin),
            default="",
            metavar="HOST:PORT|none",
            show_default=default,
            envvar="ADMIN",
            help="Address of the console, its API, /metrics and /experiments. An address outside this "
            "machine needs --admin-tokens.",
        ),
        variable_option(
            "--admin-tokens",
            type=click.Path(),
            callback=reading(_read_tokens),
            envvar="ADMIN_TOKENS",
            metavar="FILE",
            help=f"File of the tokens for {uses}; `token` makes them.",
        ),
    )
