"""The command line: python -m gateway scaler."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common.cli import examples, log_options

if TYPE_CHECKING:
    from battlesnake_search.common.access import WatchedFiles
    from gateway.scaler.gateways import Address


def _read_addresses(
    _context: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> "tuple[Address, ...]":
    from gateway.scaler.gateways import read_address

    try:
        return tuple(map(read_address, values))
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _read_listen(_context: click.Context, _option: click.Parameter, value: str) -> str:
    host, _, port = value.rpartition(":")
    if value.startswith("unix:") or (host and port.isdecimal() and int(port) < 2**16):
        return value
    raise click.BadParameter(f"{value!r} is neither HOST:PORT nor unix:PATH")


def _read_token_file(
    _context: click.Context, _option: click.Parameter, file: Path | None
) -> "WatchedFiles[str]":
    from battlesnake_search.common.access import WatchedFiles, read_token

    try:
        return WatchedFiles([file] if file else [], lambda: read_token(file) if file else "")
    except OSError as error:
        raise click.BadParameter(f"{file}: {error.strerror}") from error
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@click.command(
    epilog=examples(
        "python -m gateway scaler",
        "python -m gateway scaler --listen 0.0.0.0:50060 --gateways gateway-admin:8001 --token-file token",
    )
)
@click.option(
    "--listen",
    callback=_read_listen,
    default="127.0.0.1:50060",
    envvar="SCALER_LISTEN",
    show_envvar=True,
    metavar="HOST:PORT",
    help="Address to listen on, without TLS.",
)
@click.option(
    "--gateways",
    multiple=True,
    default=("127.0.0.1:8001",),
    callback=_read_addresses,
    envvar="SCALER_GATEWAYS",
    show_envvar=True,
    metavar="HOST:PORT",
    help="Admin port of the gateways. A name stands for all of its addresses. Repeat for several names.",
)
@click.option(
    "--token-file",
    "token",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=_read_token_file,
    envvar="SCALER_TOKEN_FILE",
    show_envvar=True,
    metavar="FILE",
    help="File with the token that gateways ask for. Read again on change.",
)
@click.option(
    "--patience",
    type=click.FloatRange(2),
    default=60.0,
    envvar="SCALER_PATIENCE",
    show_envvar=True,
    metavar="SECONDS",
    help="Seconds for which a gateway that does not answer counts as it last did.",
)
@click.option(
    "--cooldown",
    type=click.FloatRange(0),
    default=60.0,
    envvar="SCALER_COOLDOWN",
    show_envvar=True,
    metavar="SECONDS",
    help="Seconds after the end of the last game for which searchers are needed.",
)
@log_options
def scaler(
    listen: str,
    gateways: "tuple[Address, ...]",
    token: "WatchedFiles[str]",
    patience: float,
    cooldown: float,
    log_level: str,
    log_format: str,
) -> None:
    """Tell KEDA, the autoscaler of Kubernetes, how many searches the moves of all gateways wait for.

    The scaler speaks KEDA's external scaler protocol over gRPC until SIGTERM or Ctrl-C, and reads the metrics
    of the gateways every second. So searchers can be scaled to zero, and are back as soon as somebody plays.
    """
    import asyncio

    from battlesnake_search.common import logs

    # gRPC reads its log configuration at import.
    logs.configure(log_format, log_level)
    from gateway.scaler.gateways import Periods
    from gateway.scaler.service import serve

    try:
        asyncio.run(serve(listen, gateways, lambda: token.value, Periods(patience, cooldown)))
    except OSError as error:
        raise click.BadParameter(str(error), param_hint="'--listen'") from error
