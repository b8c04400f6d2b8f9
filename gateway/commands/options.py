"""The options for the snakes that a gateway serves, its addresses, and its searchers."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common import completion
from battlesnake_search.common.cli import inherited
from battlesnake_search.common.launch import trim_environment
from battlesnake_search.common.toml import TomlError
from battlesnake_search.common.types import CommandT, OptionValue
from battlesnake_search.options import CREDENTIALS, read_credentials, read_strategy, searcher_options
from battlesnake_search.ports.admin_address import DEFAULT_PUBLIC_PORT
from console.settings import DEFAULT_SERVERS
from console.store import database
from console.store.records import DEFAULT_BOUNDS, DEFAULT_OUTCOMES_BYTES, Bounds
from gateway.commands import port_options
from gateway.routes.looks import Identity, Looks
from gateway.settings import Settings

if TYPE_CHECKING:
    pass

_LOOKS = Looks.__struct_fields__
_MEGABYTE = 1_000_000
_SERVER = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII)

_COMPOSED = ("looks", "bounds", "credentials", "outcomes_bytes")
_FIELDS = (
    *(*_LOOKS, "snake_token", "games_megabytes", "outcomes_megabytes", *port_options.BOUNDS, *CREDENTIALS),
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


def _read_games(_context: click.Context, _option: click.Parameter, value: str) -> int | None:
    if value == database.NONE:
        return None
    if not value.isdecimal() or not int(value):
        raise click.BadParameter(f"{value!r} is neither a number of games above 0 nor {database.NONE}")
    return int(value)


def _read_servers(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    servers = () if value == database.NONE else tuple(value.lower().split())
    for server in servers:
        if not _SERVER.fullmatch(server):
            raise click.BadParameter(f"{server!r} is not a host like arena.battlesnake.com or localhost:8080")
    return servers


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


_OPTIONS = (
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
    database.option,
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
        "--outcomes-megabytes",
        type=click.IntRange(1),
        default=DEFAULT_OUTCOMES_BYTES // _MEGABYTE,
        metavar="MB",
        envvar="OUTCOMES_MEGABYTES",
        show_envvar=True,
        help="Megabytes of outcomes to keep in the database.",
    ),
    click.option(
        "--games",
        callback=_read_games,
        default=str(DEFAULT_BOUNDS.games),
        metavar="N|none",
        envvar="GAMES",
        show_envvar=True,
        help="The most games to keep, turn by turn, with the findings of the searches: in memory, and in the "
        "database for the outcomes if there is one.",
    ),
    click.option(
        "--games-megabytes",
        type=click.IntRange(1),
        default=DEFAULT_BOUNDS.bytes // _MEGABYTE,
        metavar="MB",
        envvar="GAMES_MEGABYTES",
        show_envvar=True,
        help="Megabytes of games to keep in the database.",
    ),
    click.option(
        "--reviews",
        type=click.Choice(["losses", "none"]),
        callback=lambda _context, _option, value: value == "losses",
        default="losses",
        envvar="REVIEWS",
        show_envvar=True,
        help="Games to review by themselves, when no move needs the searcher: all lost ones, or none.",
    ),
    click.option(
        "--replay-servers",
        callback=_read_servers,
        default=" ".join(DEFAULT_SERVERS),
        metavar="HOST[:PORT]...|none",
        envvar="REPLAY_SERVERS",
        show_envvar=True,
        help="Servers from which the console reads games, separated by spaces.",
    ),
    click.option(
        "--watch",
        is_flag=True,
        envvar="WATCH",
        show_envvar=True,
        help="When a file of an evaluator changes, compile the evaluator in a second searcher, and play "
        "the new version as soon as it is ready.",
    ),
    *port_options.OPTIONS,
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
    bounds = port_options.bounds(given)
    games, megabytes = given.pop("games"), given.pop("games_megabytes")
    outcomes_megabytes = given.pop("outcomes_megabytes")
    admin, port, tokens = given.pop("admin"), given.pop("port"), given["admin_tokens"]
    files = {field: given.pop(field) for field in CREDENTIALS}
    port_options.check_public_metrics(given["public_metrics"], tokens)
    if given["watch"] and given["searcher"]:
        raise click.UsageError("--watch is for the gateway's own searcher: leave out --searcher or --watch")
    return Settings(
        **given,
        port=DEFAULT_PUBLIC_PORT if port is None else port,
        looks=Identity(**looks, token=token),
        credentials=read_credentials(files, None if given["routes"] else given["searcher"]),
        outcomes_bytes=outcomes_megabytes * _MEGABYTE,
        games=None if games is None else Bounds(games, megabytes * _MEGABYTE),
        admin=port_options.read_admin(admin, port, tokens),
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
