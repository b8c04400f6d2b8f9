"""The options of a console, and its settings."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from battlesnake_search.common.cli import reading, variable_option
from battlesnake_search.ports.admin_address import AdminAddress, read_address
from battlesnake_search.ports.options import admin_options, read_admin
from battlesnake_search.record import options as shared
from console.settings import ANY_BOARD, DEFAULT_SERVERS, Settings
from console.store import database
from console.store.records import DEFAULT_BOUNDS, DEFAULT_OUTCOMES_BYTES, Bounds

_MEGABYTE = 1_000_000
_ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII)
_SERVER = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII)


def _read_games(value: str) -> int | None:
    if value == database.NONE:
        return None
    if not value.isdecimal() or not int(value):
        raise ValueError(f"{value!r} is neither a number of games above 0 nor {database.NONE}")
    return int(value)


def _read_servers(value: str) -> tuple[str, ...]:
    return _words(value, _SERVER.fullmatch, "is not a host like arena.battlesnake.com or localhost:8080")


def _read_boards(value: str) -> tuple[str, ...]:
    fault = f"is neither an origin like https://board.battlesnake.com nor {ANY_BOARD}"
    return _words(value, lambda board: board == ANY_BOARD or _ORIGIN.fullmatch(board), fault)


def _words(value: str, is_valid: Callable[[str], object], fault: str) -> tuple[str, ...]:
    """Return the words of an option in small letters; empty for `none`. Raises ValueError with `fault`."""
    words = () if value == database.NONE else tuple(value.lower().split())
    for word in words:
        if not is_valid(word):
            raise ValueError(f"{word!r} {fault}")
    return words


def _read_public(value: str) -> AdminAddress | None:
    if value == database.NONE:
        return None
    try:
        return read_address(f":{value}" if value.isdecimal() else value)
    except ValueError as error:
        raise ValueError(f"{value!r} is neither [HOST:]PORT, like 8002, nor {database.NONE}") from error


RECORDING = (
    database.option,
    shared.OUTCOMES_MEGABYTES.declared(type=click.IntRange(1), default=DEFAULT_OUTCOMES_BYTES // _MEGABYTE),
    shared.GAMES.declared(callback=reading(_read_games), default=str(DEFAULT_BOUNDS.games)),
    shared.GAMES_MEGABYTES.declared(type=click.IntRange(1), default=DEFAULT_BOUNDS.bytes // _MEGABYTE),
    shared.REVIEWS.declared(type=click.Choice(["losses", "none"]), default="losses"),
    shared.REPLAY_SERVERS.declared(callback=reading(_read_servers), default=" ".join(DEFAULT_SERVERS)),
    shared.BOARDS.declared(callback=reading(_read_boards), default=database.NONE),
    shared.PUBLIC.declared(callback=reading(_read_public), default=database.NONE),
)
"""The options of what is recorded and who sees it, in the order of the help."""


LISTEN = variable_option(
    "--listen",
    default="127.0.0.1:50061",
    metavar="ADDRESS",
    envvar="CONSOLE_LISTEN",
    help="Address for the events of gateways: host:port or unix:PATH.",
)

SERVING = (
    *admin_options("127.0.0.1:8001, or a free port of 127.0.0.1 if that is taken", "--admin"),
    click.option(
        "--browser",
        is_flag=True,
        envvar="CONSOLE_BROWSER",
        help="Open the console in a browser as soon as it is there.",
    ),
    click.option(
        "--folder",
        type=click.Path(path_type=Path),
        envvar="CONSOLE_FOLDER",
        hidden=True,
        help="Of a gateway.",
    ),
    variable_option(
        "--metrics-from",
        type=click.Path(path_type=Path),
        multiple=True,
        metavar="SOCKET",
        envvar="CONSOLE_METRICS_FROM",
        help="Unix socket whose /metrics are shown beside the console's own. Repeat for several.",
    ),
)
"""The options of the admin port, in the order of the help."""


def settings(values: dict[str, Any]) -> Settings:
    """Return the settings for the values of the options, and remove them from `values`.

    Raises BadParameter for an invalid address, and for a network address without a token file.
    """
    games, megabytes = values.pop("games"), values.pop("games_megabytes")
    tokens, browser = values.pop("admin_tokens"), values.pop("browser")
    address = read_admin(values.pop("admin"), tokens)
    return Settings(
        outcomes=values.pop("outcomes"),
        outcomes_bytes=values.pop("outcomes_megabytes") * _MEGABYTE,
        games=None if games is None else Bounds(games, megabytes * _MEGABYTE),
        reviews=values.pop("reviews") == "losses",
        admin=replace(address, opens=browser) if address else None,
        admin_tokens=tokens,
        public_pages=values.pop("public"),
        boards=values.pop("boards"),
        replay_servers=values.pop("replay_servers"),
        folder=values.pop("folder"),
        metrics_from=values.pop("metrics_from"),
    )
