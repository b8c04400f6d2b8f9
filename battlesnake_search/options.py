"""The options of command lines for searchers' credentials."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common.types import CommandT, Options

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles

CREDENTIALS = ("searcher_ca", "searcher_cert", "searcher_key", "searcher_token")
"""The parameters of the options."""


def credential_options(command: CommandT) -> CommandT:
    """Add the options to a command. Their files are read again when they change."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def credential_files(given: Options) -> "CredentialFiles | None":
    """Return the files in a command's parameters; None without files.

    Raises ValueError for a certificate without a key, or a key without a certificate.
    """
    paths: list[Path | None] = [given[parameter] for parameter in CREDENTIALS]
    if not any(paths):
        return None
    # Only commands that search wait for these imports.
    from battlesnake_search.channels import CredentialFiles
    from battlesnake_search.common.access import CertificateFiles

    authorities, chain, key, token = paths
    return CredentialFiles(CertificateFiles(chain, key, authorities), token)


def _file(name: str, variable: str, help: str) -> Callable[[CommandT], CommandT]:
    return click.option(
        f"--searcher-{name}",
        type=click.Path(path_type=Path),
        envvar=f"SEARCHER_TARGET_{variable}",
        show_envvar=True,
        metavar="FILE",
        help=help,
    )


_OPTIONS = (
    _file("ca", "CA", "PEM file of the authorities that searchers' certificates are checked against."),
    _file("cert", "CERT", "PEM file of the certificate to show to searchers that ask for one."),
    _file("key", "KEY", "PEM file of that certificate's key."),
    _file("token", "TOKEN_FILE", "File with the token to show to searchers that ask for one."),
)
