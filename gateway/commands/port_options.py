"""The options for the gateway's ports: the bounds of connections, and the access to the admin side."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from battlesnake_search.common.types import CommandT, OptionValue
from battlesnake_search.ports.bounds import DEFAULT_PORT_BOUNDS, PortBounds
from battlesnake_search.ports.options import TOKENS_NEEDED, admin_options
from gateway.play.budget import LONGEST_TIMEOUT

if TYPE_CHECKING:
    from battlesnake_search.common.access import TokenFile

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


def check_public_metrics(is_wanted: bool, tokens: "TokenFile | None") -> None:
    """Raise BadParameter if the public port would show metrics without a token."""
    if is_wanted and tokens is None:
        raise click.BadParameter(
            TOKENS_NEEDED.format("the public port", "the metrics"), param_hint="'--public-metrics'"
        )


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
    *admin_options(
        "127.0.0.1:8001 without --port, otherwise a free port of 127.0.0.1", "--admin and --public-metrics"
    ),
    click.option(
        "--public-metrics",
        is_flag=True,
        envvar="PUBLIC_METRICS",
        show_envvar=True,
        help="Serve /metrics on --port as well, for callers with one of --admin-tokens.",
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
