"""The options of a command that serves a gRPC port, and the port's settings by them."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common.cli import variable_option, with_options
from battlesnake_search.common.sockets import UNIX
from battlesnake_search.common.types import CommandT
from battlesnake_search.serving.program import Program

if TYPE_CHECKING:
    from battlesnake_search.serving.port import PortSettings


def _variable(program: Program, name: str) -> str:
    return f"{program.name}_{name}".upper().replace("-", "_")


def _file_option(program: Program, name: str, text: str) -> Callable[[CommandT], CommandT]:
    envvar = _variable(program, name)
    kind = click.Path(path_type=Path, dir_okay=False)
    return variable_option(f"--{name}", type=kind, metavar="FILE", envvar=envvar, help=text)


class _Addresses(click.types.StringParamType):
    """Addresses to listen on. A variable separates them by spaces. A socket's path may have spaces, too."""

    def split_envvar_value(self, rv: str) -> Sequence[str]:
        """Split a variable before each address."""
        return re.split(rf"\s+(?={UNIX}|\S+:\d+(?:\s|$))", rv.strip())


def port_options(program: Program, without_token: str) -> Callable[[CommandT], CommandT]:
    """Return a decorator that adds the port's options.

    `port_settings` takes them as parameters. `without_token` is the help of --without-token.
    """
    return with_options(
        variable_option(
            "--max-connection-age",
            type=click.FloatRange(0, min_open=True),
            show_default="never",
            envvar=_variable(program, "max-connection-age"),
            metavar="SECONDS",
            help=f"Make callers reconnect after this time, so that new {program.name}s get work.",
        ),
        _file_option(
            program,
            "tls-cert",
            "Speak TLS with this certificate and its chain, in PEM. Read again on change.",
        ),
        _file_option(program, "tls-key", "The key of --tls-cert, in PEM."),
        _file_option(
            program, "tls-client-ca", "Refuse callers without a certificate of these authorities, in PEM."
        ),
        _file_option(
            program, "tokens", "Refuse callers without a token of this file, in TOML. Read again on change."
        ),
        variable_option(
            "--without-token",
            type=click.Choice(tuple(program.openable)),
            multiple=True,
            envvar=_variable(program, "without-token"),
            help=without_token,
        ),
        variable_option(
            "--health",
            metavar="ADDRESS",
            envvar=_variable(program, "health"),
            show_default="none",
            help="Serve the health alone at a second address without TLS, for probes.",
        ),
        variable_option(
            "--metrics",
            type=_Addresses(),
            metavar="ADDRESS",
            multiple=True,
            envvar=_variable(program, "metrics"),
            show_default="not served",
            help="Serve Prometheus metrics at host:port or unix:PATH, over HTTP and without a password. "
            "Repeat for several addresses.",
        ),
    )


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
    from battlesnake_search.serving.port import PortSettings

    if (tls_cert is None) != (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key belong together: give both or neither")
    if tls_client_ca and not tls_cert:
        raise click.UsageError("--tls-client-ca needs --tls-cert and --tls-key")
    certificates = CertificateFiles(tls_cert, tls_key, tls_client_ca)
    return PortSettings(certificates, tokens, without_token, max_connection_age, health, metrics)
