"""The options of command lines for searchers' credentials."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common.types import CommandT, Options
from battlesnake_search.targets import check_target

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles, Credentials

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


_CERTIFICATES = CREDENTIALS[:3]
"""The parameters of connections with TLS."""

_TOKEN = CREDENTIALS[3]

_Command = Callable[..., object]


def searcher_options(help: str) -> Callable[[_Command], _Command]:
    """Return a decorator with the options; `help` describes the case without a searcher."""
    target = click.option(
        "--searcher",
        callback=_read_target,
        default="",
        show_default=False,
        envvar="SEARCHER_TARGET",
        show_envvar=True,
        metavar="TARGET",
        help=help,
    )
    return lambda command: target(credential_options(command))


def _read_target(_context: click.Context, _option: click.Parameter, value: str) -> str:
    if value:
        try:
            check_target(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None
    return value


def read_credentials(given: Mapping[str, Path | None], target: str | None) -> "Credentials | None":
    """Read the credential files that the options name; return None if they name no file.

    The credentials are for calls to `target`. If it is None, they are for the targets of routes, and some of
    these may not use TLS. Raises BadParameter with the options and the error.
    """
    if not any(given.values()):
        return None
    # Only commands that search wait for these imports. The first of them that imports gRPC is here.
    from battlesnake_search.common.logs import quiet_grpc

    quiet_grpc()
    from battlesnake_search.channels import Credentials

    try:
        credentials = Credentials(credential_files(given))
    except (OSError, ValueError) as error:
        fields, reason = [field for field in CREDENTIALS if given[field]], str(error)
        if isinstance(error, OSError):
            fields = [field for field in fields if str(given[field]) == str(error.filename)]
            # The value may be the token itself, and must not be shown.
            is_token = fields == [_TOKEN]
            reason = f"{'it must name a file' if is_token else error.filename}: {error.strerror}"
        raise click.BadParameter(reason, param_hint=_names(fields)) from error
    if target is not None:
        _check_uses_tls(target, given)
    return credentials


def _check_uses_tls(target: str, given: Mapping[str, Path | None]) -> None:
    """Raise BadParameter for certificates that no connection to the target would use."""
    from battlesnake_search.channels import TLS

    if (unused := [field for field in _CERTIFICATES if given[field]]) and not target.startswith(TLS):
        asked = f"--searcher is {target!r}" if target else "the embedded searcher needs none"
        raise click.BadParameter(
            f"certificates are for targets that begin with {TLS}, and {asked}", param_hint=_names(unused)
        )


def _names(fields: Iterable[str]) -> str:
    return " / ".join(f"--{field.replace('_', '-')}" for field in fields)


def read_strategy(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Return the option's value. Raises BadParameter for an invalid value."""
    if not value:
        return value
    # Only commands that plan a search wait for the slow import of protobuf.
    from battlesnake_search import translate

    try:
        translate.parse_strategy(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value
