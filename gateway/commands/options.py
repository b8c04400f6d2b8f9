"""The options for the snakes that a gateway serves, its addresses and their bounds, and its searchers."""

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from battlesnake_search.common import completion
from battlesnake_search.common.cli import inherited, reading, variable_option, with_options
from battlesnake_search.common.launch import trim_environment
from battlesnake_search.common.types import CommandT, OptionValue
from battlesnake_search.options import (
    CREDENTIALS,
    VARIABLES,
    checked_strategy,
    checked_target,
    credential_options_for,
    credentials_of,
    read_credentials,
    searcher_options,
)
from battlesnake_search.ports.admin_address import DEFAULT_PUBLIC_PORT, LOOPBACK
from battlesnake_search.ports.bounds import DEFAULT_PORT_BOUNDS, PortBounds
from battlesnake_search.ports.options import TOKENS_NEEDED, admin_options, read_admin
from battlesnake_search.record import options as console_options
from gateway.play.budget import LONGEST_TIMEOUT
from gateway.routes.looks import Looks
from gateway.settings import NO_CONSOLE, Settings

if TYPE_CHECKING:
    from battlesnake_search.common.access import TokenFile

_LOOKS = ("name", "color", "head", "tail", "author")
_CONSOLE_CREDENTIALS = credentials_of("console")

PASSED_ON = VARIABLES | {option.parameter: option.variable for option in console_options.ALL}
"""The variables that the console reads, too, by the parameters of the gateway's options."""


def _read_color(value: str) -> str:
    # In a shell, an unquoted # begins a comment.
    color = f"#{value.removeprefix('#')}"
    try:
        return Looks(color=color).color
    except ValueError:
        raise ValueError(f"{value!r} is not a colour like 2f6f4e or '#2f6f4e'") from None


def _without_brackets(host: str) -> str:
    """Return a host as sockets take it: without the brackets that an IPv6 address has in URLs."""
    return host.removeprefix("[").removesuffix("]")


def _look(field: str, help: str, read: Callable[[str], str] = str) -> Callable[[CommandT], CommandT]:
    """Return the option for a field of the snake's appearance."""
    default = getattr(Looks(), field)
    return variable_option(
        f"--{field}",
        default=default,
        show_default=bool(default),
        callback=reading(read),
        envvar=f"SNAKE_{field.upper()}",
        help=help,
    )


def _bound(option: str, default: float, metavar: str, help: str) -> Callable[[CommandT], CommandT]:
    """Return the option for a bound above 0."""
    kind = click.IntRange(1) if isinstance(default, int) else click.FloatRange(0, min_open=True)
    variable = option.upper()
    return variable_option(
        f"--{option.replace('_', '-')}",
        type=kind,
        default=default,
        metavar=metavar,
        envvar=variable,
        help=help,
    )


_OPTIONS: tuple[Callable[..., Any], ...] = (
    click.option(
        "--host", default="0.0.0.0", callback=reading(_without_brackets), help="Address to listen on."
    ),
    variable_option(
        "--port",
        type=click.IntRange(0, 65535),
        default=None,
        show_default=str(DEFAULT_PUBLIC_PORT),
        envvar="PORT",
        help="Port to listen on; 0 is any free port.",
    ),
    searcher_options(
        "gRPC target of the searchers, for example dns:///searcher:50051, or grpcs://searcher.example.com "
        "for TLS. Without it the gateway starts its own searcher.",
    ),
    variable_option(
        "--strategy",
        callback=reading(checked_strategy),
        shell_complete=completion.strategies,
        default="",
        show_default=False,
        metavar="SEARCH/EVALUATOR|auto",
        envvar="STRATEGY",
        help="Strategy of the snake, for example paranoid/area, or auto to choose by the position. "
        "Without it the searcher's default is played, which is auto too.",
    ),
    _look("name", "Name of the snake."),
    _look("color", "Colour of the snake, for example 2f6f4e.", _read_color),
    _look("head", "Head of the snake, one of https://arena.battlesnake.com/customizations."),
    _look("tail", "Tail of the snake, one of the same page."),
    _look("author", "Author of the snake."),
    variable_option(
        "--snake-token",
        callback=reading(lambda token: Looks(token=token).token),
        default="",
        show_default=False,
        envvar="SNAKE_TOKEN",
        metavar="TOKEN",
        help="Secret of 16 to 128 letters, digits, - and _: the snake answers at /TOKEN/ alone. Others can "
        "read an option but no variable.",
    ),
    variable_option(
        "--routes",
        type=click.Path(path_type=Path),
        envvar="ROUTES_FILE",
        metavar="FILE",
        help="File with the snakes and their strategies; reloaded on SIGHUP. Without it there is one snake, "
        "at /, with the strategy and the appearance of these options.",
    ),
    variable_option(
        "--console",
        callback=reading(lambda value: value if value == NO_CONSOLE else checked_target(value)),
        default="",
        show_default="a console of its own",
        envvar="CONSOLE_TARGET",
        metavar="TARGET|none",
        help="gRPC target of the console that records and shows the games, or none.",
    ),
    credential_options_for("console"),
    variable_option(
        "--console-wait",
        type=click.FloatRange(0),
        default=0.0,
        envvar="CONSOLE_WAIT",
        metavar="SECONDS",
        help="The most seconds that the answer to an /end waits until the console has stored the game, for "
        "clouds that stop a process between requests.",
    ),
    *(option.declared() for option in console_options.ALL),
    variable_option(
        "--watch",
        is_flag=True,
        envvar="WATCH",
        help="When a file of an evaluator changes, compile the evaluator in a second searcher, and play "
        "the new version as soon as it is ready.",
    ),
    *admin_options(
        "127.0.0.1:8001 without --port, otherwise a free port of 127.0.0.1", "--admin and --public-metrics"
    ),
    variable_option(
        "--public-metrics",
        is_flag=True,
        envvar="PUBLIC_METRICS",
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
        command(context, settings=_settings(context, values), **values)

    return with_options(*_OPTIONS)(with_settings)


def _settings(context: click.Context, values: dict[str, OptionValue]) -> Settings:
    """Return the settings for the options of a command, and remove them from its `values`."""

    def take(name: str) -> OptionValue:
        return inherited(context, name, values.pop(name))

    def take_all(names: Iterable[str]) -> dict[str, OptionValue]:
        return {name: take(name) for name in names}

    searcher, console, routes, port = take("searcher"), take("console"), take("routes"), take("port")
    tokens, public_metrics, watch = take("admin_tokens"), take("public_metrics"), take("watch")
    if public_metrics and tokens is None:
        raise click.BadParameter(
            TOKENS_NEEDED.format("the public port", "the metrics"), param_hint="'--public-metrics'"
        )
    if watch and searcher:
        raise click.UsageError("--watch is for the gateway's own searcher: leave out --searcher or --watch")
    files = take_all(CREDENTIALS)
    passed_on = take_all(option.parameter for option in console_options.ALL)
    variables = _admin_variables(take("admin"), port, tokens)
    for name, value in {"searcher": searcher, **files, **passed_on}.items():
        if value is not None:
            variables[PASSED_ON[name]] = str(value)
    return Settings(
        searcher=searcher,
        strategy=take("strategy"),
        looks=Looks(**take_all(_LOOKS), token=take("snake_token")),
        host=take("host"),
        port=DEFAULT_PUBLIC_PORT if port is None else port,
        bounds=PortBounds(
            connections=take("max_connections"),
            per_address=take("max_connections_per_address"),
            idle=take("idle_seconds"),
        ),
        routes=routes,
        console=console,
        console_credentials=read_credentials(take_all(_CONSOLE_CREDENTIALS), console, "console"),
        console_wait=take("console_wait"),
        console_variables=variables,
        admin_tokens=tokens,
        public_metrics=public_metrics,
        watch=watch,
        credentials=read_credentials(files, None if routes else searcher),
        max_timeout=take("max_timeout"),
    )


def _admin_variables(admin: str, port: int | None, tokens: "TokenFile | None") -> dict[str, str]:
    """Return the variables for the admin port of the gateway's own console. Raises as `read_admin` does."""
    read_admin(admin, tokens, DEFAULT_PUBLIC_PORT if port is None else port)
    # With a chosen snake port, the console's default port may belong to another snake.
    variables = {"ADMIN": admin or ("" if port is None else f"{LOOPBACK}:0")}
    return variables | ({"ADMIN_TOKENS": str(tokens.path)} if tokens else {})


def settings_from_environment() -> Settings:
    """Return the settings from the environment, for a gateway that no command starts.

    Raises click.UsageError for an invalid value.
    """
    trim_environment()
    received: list[Settings] = []
    command = click.command("gateway")(serving(lambda _context, settings: received.append(settings)))
    command.main([], standalone_mode=False)
    return received[0]
