"""`python -m searcher serve`: serves searches over gRPC, with limits on the callers."""

import os
import re
from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from battlesnake_search.common.cli import examples, log_options
from battlesnake_search.common.sockets import UNIX
from battlesnake_search.common.types import CommandT, OptionValue
from searcher.commands.common import (
    ahead_option,
    only_option,
    strategies,
    strategies_ahead,
    use_weights,
    weights_option,
)
from searcher.serving.address import default_address

if TYPE_CHECKING:
    from searcher.serving.guard.port import PortSettings


def _file_option(name: str, text: str) -> Callable[[CommandT], CommandT]:
    envvar = f"SEARCHER_{name.upper().replace('-', '_')}"
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option(f"--{name}", type=kind, metavar="FILE", envvar=envvar, show_envvar=True, help=text)


class _Addresses(click.types.StringParamType):
    """Addresses to listen on. A variable separates them by spaces. A socket's path may have spaces, too."""

    def split_envvar_value(self, rv: str) -> Sequence[str]:
        """Split a variable before each address."""
        return re.split(rf"\s+(?={UNIX}|\S+:\d+(?:\s|$))", rv.strip())


_OPTIONS: tuple[Callable[..., Any], ...] = (
    click.option(
        "--max-connection-age",
        type=click.FloatRange(0, min_open=True),
        show_default="never",
        envvar="SEARCHER_MAX_CONNECTION_AGE",
        show_envvar=True,
        metavar="SECONDS",
        help="Make callers reconnect after this time, so that new searchers get work.",
    ),
    _file_option("tls-cert", "Speak TLS with this certificate and its chain, in PEM. Read again on change."),
    _file_option("tls-key", "The key of --tls-cert, in PEM."),
    _file_option("tls-client-ca", "Refuse callers without a certificate of these authorities, in PEM."),
    _file_option("tokens", "Refuse callers without a token of this file, in TOML. Read again on change."),
    click.option(
        "--without-token",
        type=click.Choice(("reflection", "strategies")),
        multiple=True,
        envvar="SEARCHER_WITHOUT_TOKEN",
        show_envvar=True,
        help="With --tokens, open reflection or the list of strategies to all callers. Repeat for both.",
    ),
    click.option(
        "--health",
        metavar="ADDRESS",
        envvar="SEARCHER_HEALTH",
        show_envvar=True,
        show_default="none",
        help="Serve the health alone at a second address without TLS, for probes.",
    ),
    click.option(
        "--metrics",
        type=_Addresses(),
        metavar="ADDRESS",
        multiple=True,
        envvar="SEARCHER_METRICS",
        show_envvar=True,
        show_default="not served",
        help="Serve Prometheus metrics at host:port or unix:PATH, over HTTP and without a password. "
        "Repeat for several addresses.",
    ),
)


def port_options(command: CommandT) -> CommandT:
    """Add the options, as the parameters of `port_settings`."""
    return reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), command)


def port_settings(
    tls_cert: Path | None,
    tls_key: Path | None,
    tls_client_ca: Path | None,
    tokens: Path | None,
    without_token: tuple[str, ...],
    max_connection_age: float | None,
    health: str | None,
    metrics: tuple[str, ...],
) -> "PortSettings":
    """Return the settings of the options. Raises click.UsageError if they don't fit together."""
    from battlesnake_search.common.access import CertificateFiles
    from searcher.serving.guard.port import PortSettings

    if (tls_cert is None) != (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key belong together: give both or neither")
    if tls_client_ca and not tls_cert:
        raise click.UsageError("--tls-client-ca needs --tls-cert and --tls-key")
    certificates = CertificateFiles(tls_cert, tls_key, tls_client_ca)
    return PortSettings(certificates, tokens, without_token, max_connection_age, health, metrics)


@click.command(
    epilog=examples(
        "python -m searcher serve --listen 127.0.0.1:50051",
        "python -m searcher serve --listen unix:/run/searcher.sock --workers 2 --only paranoid/area",
    )
)
@click.option(
    "--listen",
    default=default_address,
    show_default="0.0.0.0:PORT if the environment has PORT, else 127.0.0.1:50051",
    envvar="SEARCHER_LISTEN",
    show_envvar=True,
    help="Address to listen on: host:port or unix:PATH.",
)
@click.option(
    "--workers", type=click.IntRange(1), show_default="one for each core", help="Searches that run at once."
)
@only_option
@ahead_option
@weights_option
@port_options
@log_options
def serve(
    listen: str,
    workers: int | None,
    only: tuple[str, ...],
    ahead: tuple[str, ...],
    weights_files: tuple[Path, ...],
    log_level: str,
    log_format: str,
    **port: OptionValue,
) -> None:
    """Serve searches over gRPC until SIGTERM."""
    # NumPy's linear algebra is hardly used, but would start a thread for each core.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # gRPC reads its log configuration at its import, which is the server's.
    from battlesnake_search.common import logs

    logs.quiet_grpc()
    from searcher.serving import server

    logs.configure(log_format, log_level, server.LAYOUTS)
    use_weights(weights_files)
    server.serve(listen, workers, strategies(only), port_settings(**port), strategies_ahead(ahead))
