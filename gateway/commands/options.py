"""The options for the snakes that a gateway serves, its addresses and their bounds, and its searchers."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any

import click

from battlesnake_search.common import completion
from battlesnake_search.common.cli import inherited
from battlesnake_search.common.launch import trim_environment
from battlesnake_search.common.sockets import check_target
from battlesnake_search.common.toml import TomlError
from battlesnake_search.common.types import CommandT, OptionValue
from battlesnake_search.options import (
    CREDENTIALS,
    VARIABLES,
    credential_options_for,
    credentials_of,
    read_credentials,
    read_strategy,
    searcher_options,
)
from battlesnake_search.ports.admin_address import DEFAULT_PUBLIC_PORT
from battlesnake_search.ports.bounds import DEFAULT_PORT_BOUNDS, PortBounds
from battlesnake_search.ports.options import TOKENS_NEEDED, admin_options, read_admin
from battlesnake_search.record import options as console_options
from gateway.play.budget import LONGEST_TIMEOUT
from gateway.routes.looks import Identity, Looks
from gateway.settings import NO_CONSOLE, Settings

_LOOKS = Looks.__struct_fields__
_CONSOLE_CREDENTIALS = credentials_of("console")

PASSED_ON = VARIABLES | {option.parameter: option.variable for option in console_options.ALL}
"""The variables that the console reads, too, by the parameters of the gateway's options."""

_BOUNDS = {
    "max_connections": "connections",
    "max_connections_per_address": "per_address",
    "idle_seconds": "idle",
}
"""The options of a port's bounds, and their fields."""

_COMPOSED = ("looks", "bounds", "credentials", "console_credentials", "console_variables")
_FIELDS = (
    *(*_LOOKS, "snake_token", *_BOUNDS, *CREDENTIALS, *_CONSOLE_CREDENTIALS),
    *(option.parameter for option in console_options.ALL),
    *(field.name for field in fields(Settings) if field.name not in _COMPOSED),
)
"""The names of all options."""


def _read_color(_context: click.Context, _option: click.Parameter, value: str) -> str:
    # In a shell, an unquoted # begins a comment.
    color = f"#{value.removeprefix('#')}"
    try:
        return Looks(color=color).color
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a colour like 2f6f4e or '#2f6f4e'") from None


def _read_token(_context: click.Context, _option: click.Parameter, value: str) -> str:
    try:
        return Identity(token=value).token
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _read_console(_context: click.Context, _option: click.Parameter, value: str) -> str:
    if value and value != NO_CONSOLE:
        try:
            check_target(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None
    return value


def _without_brackets(_context: click.Context, _option: click.Parameter, host: str) -> str:
    """Return a host as sockets take it: without the brackets that an IPv6 address has in URLs."""
    return host.removeprefix("[").removesuffix("]")


def _look(
    field: str, help: str, callback: Callable[..., str] | None = None
) -> Callable[[CommandT], CommandT]:
    """Return the option for a field of the snake's appearance."""
    default = getattr(Looks(), field)
    return click.option(
        f"--{field}",
        default=default,
        show_default=bool(default),
        callback=callback,
        envvar=f"SNAKE_{field.upper()}",
        show_envvar=True,
        help=help,
    )


def _bound(option: str, default: float, metavar: str, help: str) -> Callable[[CommandT], CommandT]:
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


_OPTIONS: tuple[Callable[..., Any], ...] = (
    click.option("--host", default="0.0.0.0", callback=_without_brackets, help="Address to listen on."),
    click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=None,
        show_default=str(DEFAULT_PUBLIC_PORT),
        envvar="PORT",
        show_envvar=True,
        help="Port to listen on; 0 is any free port.",
    ),
    searcher_options(
        "gRPC target of the searchers, for example dns:///searcher:50051, or grpcs://searcher.example.com "
        "for TLS. Without it the gateway starts its own searcher.",
    ),
    click.option(
        "--strategy",
        callback=read_strategy,
        shell_complete=completion.strategies,
        default="",
        show_default=False,
        metavar="SEARCH/EVALUATOR|auto",
        envvar="STRATEGY",
        show_envvar=True,
        help="Strategy of the snake, for example paranoid/area, or auto to choose by the position. "
        "Without it the searcher's default is played, which is auto too.",
    ),
    _look("name", "Name of the snake."),
    _look("color", "Colour of the snake, for example 2f6f4e.", _read_color),
    _look("head", "Head of the snake, one of https://arena.battlesnake.com/customizations."),
    _look("tail", "Tail of the snake, one of the same page."),
    _look("author", "Author of the snake."),
    click.option(
        "--snake-token",
        callback=_read_token,
        default="",
        show_default=False,
        envvar="SNAKE_TOKEN",
        show_envvar=True,
        metavar="TOKEN",
        help="Secret of 16 to 128 letters, digits, - and _: the snake answers at /TOKEN/ alone. Others can "
        "read an option but no variable.",
    ),
    click.option(
        "--routes",
        type=click.Path(path_type=Path),
        envvar="ROUTES_FILE",
        show_envvar=True,
        metavar="FILE",
        help="File with the snakes and their strategies; reloaded on SIGHUP. Without it there is one snake, "
        "at /, with the strategy and the appearance of these options.",
    ),
    click.option(
        "--console",
        callback=_read_console,
        default="",
        show_default="a console of its own",
        envvar="CONSOLE_TARGET",
        show_envvar=True,
        metavar="TARGET|none",
        help="gRPC target of the console that records and shows the games, or none.",
    ),
    credential_options_for("console"),
    click.option(
        "--console-wait",
        type=click.FloatRange(0),
        default=0.0,
        envvar="CONSOLE_WAIT",
        show_envvar=True,
        metavar="SECONDS",
        help="The most seconds that the answer to an /end waits until the console has stored the game, for "
        "clouds that stop a process between requests.",
    ),
    *(option.declared(expose_value=True) for option in console_options.ALL),
    click.option(
        "--watch",
        is_flag=True,
        envvar="WATCH",
        show_envvar=True,
        help="When a file of an evaluator changes, compile the evaluator in a second searcher, and play "
        "the new version as soon as it is ready.",
    ),
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


def serving(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command. It receives their values as its keyword argument `settings`.

    The command also receives click's context. A subcommand inherits the values that were given before its
    name.
    """

    @wraps(command)
    def with_settings(**values: OptionValue) -> None:
        context = click.get_current_context()
        command(context, settings=_settings(_given(values)), **values)

    for option in reversed(_OPTIONS):
        with_settings = option(with_settings)
    return with_settings


def faulty_routes(settings: Settings, error: OSError | TomlError) -> click.BadParameter:
    """Return the error of a gateway whose routes file is missing or invalid."""
    reason = error.strerror if isinstance(error, OSError) else error
    return click.BadParameter(f"{settings.routes}: {reason}", param_hint="--routes")


def _given(values: dict[str, OptionValue]) -> dict[str, OptionValue]:
    """Remove the values of the options from a command's values. Return them, with inherited ones."""
    context = click.get_current_context()
    given = {field: values.pop(field) for field in _FIELDS}
    for field in given:
        with suppress(LookupError):
            given[field] = inherited(context, field)
    return given


def _settings(given: dict[str, OptionValue]) -> Settings:
    """Return the settings for the values of all options."""
    looks, token = {field: given.pop(field) for field in _LOOKS}, given.pop("snake_token")
    variables = {
        variable: str(given[name]) for name, variable in PASSED_ON.items() if given[name] is not None
    }
    bounds = PortBounds(**{field: given.pop(option) for option, field in _BOUNDS.items()})
    admin, port, tokens = given.pop("admin"), given.pop("port"), given["admin_tokens"]
    files = {field: given.pop(field) for field in CREDENTIALS}
    console_files = {field: given.pop(field) for field in _CONSOLE_CREDENTIALS}
    for option in console_options.ALL:
        del given[option.parameter]
    if given["public_metrics"] and tokens is None:
        raise click.BadParameter(
            TOKENS_NEEDED.format("the public port", "the metrics"), param_hint="'--public-metrics'"
        )
    if given["watch"] and given["searcher"]:
        raise click.UsageError("--watch is for the gateway's own searcher: leave out --searcher or --watch")
    return Settings(
        **given,
        port=DEFAULT_PUBLIC_PORT if port is None else port,
        looks=Identity(**looks, token=token),
        credentials=read_credentials(files, None if given["routes"] else given["searcher"]),
        console_credentials=read_credentials(console_files, given["console"], "console"),
        console_variables=variables,
        admin=read_admin(admin, port, tokens),
        bounds=bounds,
    )


def settings_from_environment() -> Settings:
    """Return the settings from the environment, for a gateway that no command starts.

    Raises click.UsageError for an invalid value.
    """
    trim_environment()
    received: list[Settings] = []
    command = click.command("gateway")(serving(lambda _context, settings: received.append(settings)))
    command.main([], standalone_mode=False)
    return received[0]
