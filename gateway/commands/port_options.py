"""The options for the gateway's ports: the bounds of connections, and the access to the admin side."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from battlesnake_search.common.types import CommandT, OptionValue
from battlesnake_search.ports.admin_address import AdminAddress, read_address
from battlesnake_search.ports.bounds import DEFAULT_PORT_BOUNDS, PortBounds
from console.store.database import NONE
from gateway.play.budget import LONGEST_TIMEOUT

if TYPE_CHECKING:
    from battlesnake_search.common.access import TokenFile

_TOKENS_NEEDED = (
    "every caller that reaches {} would see {}: give a file of tokens with --admin-tokens or ADMIN_TOKENS. "
    "`python -m gateway token NAME >> FILE` makes one."
)

_Number = TypeVar("_Number", int, float)

BOUNDS = {
    "max_connections": "connections",
    "max_connections_per_address": "per_address",
    "idle_seconds": "idle",
}
"""The options of a port's bounds, and their fields."""


def bounds(values: dict[str, OptionValue]) -> PortBounds:
    """Return the bounds in the values of all options, and remove them from `values`."""
    return PortBounds(**{field: values.pop(option) for option, field in BOUNDS.items()})


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
        raise click.BadParameter(_TOKENS_NEEDED.format(address.host, "every game"), param_hint="'--admin'")
    return address


def check_public_metrics(is_wanted: bool, tokens: "TokenFile | None") -> None:
    """Raise BadParameter if the public port would show metrics without a token."""
    if is_wanted and tokens is None:
        raise click.BadParameter(
            _TOKENS_NEEDED.format("the public port", "the metrics"), param_hint="'--public-metrics'"
        )


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


def _bound(option: str, default: _Number, metavar: str, help: str) -> Callable[[CommandT], CommandT]:
    """Return the option for a bound above 0."""
    kind = click.IntRange(1) if isinstance(default, int) else click.FloatRange(0, min_open=True)
    variable = option.upper()
    return click.option(
        f"--{option.replace('_', '-')}",
        type=kind,
        default=default,
        metavar=metavar,
        envvar=variable,
        show_envvar=True,
        help=help,
    )


OPTIONS = (
    click.option(
        "--admin",
        callback=_check_admin,
        default="",
        metavar="HOST:PORT|none",
        show_default="127.0.0.1:8001 without --port, otherwise a free port of 127.0.0.1",
        envvar="ADMIN",
        show_envvar=True,
        help="Address of the console, its API, /metrics and /experiments. An address outside this machine "
        "needs --admin-tokens.",
    ),
    click.option(
        "--admin-tokens",
        type=click.Path(path_type=Path),
        callback=_read_tokens,
        envvar="ADMIN_TOKENS",
        show_envvar=True,
        metavar="FILE",
        help="File of the tokens for --admin and --public-metrics; `token` makes them.",
    ),
    click.option(
        "--public-metrics",
        is_flag=True,
        envvar="PUBLIC_METRICS",
        show_envvar=True,
        help="Serve /metrics and /experiments on --port as well, for callers with one of --admin-tokens.",
    ),
    _bound("max_connections", DEFAULT_PORT_BOUNDS.connections, "N", "Most connections to --port at once."),
    _bound(
        "max_connections_per_address",
        DEFAULT_PORT_BOUNDS.per_address,
        "N",
        "Most of them from one address. Behind a proxy all callers have its address.",
    ),
    _bound(
        "idle_seconds", DEFAULT_PORT_BOUNDS.idle, "S", "Seconds after which an idle connection is closed."
    ),
    _bound(
        "max_timeout",
        int(LONGEST_TIMEOUT),
        "MS",
        "Longest timeout of a game that is used, in milliseconds; longer ones are shortened to it.",
    ),
)
"""All options, in the order of the help."""
