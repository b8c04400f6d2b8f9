"""The options of command lines for searchers' credentials."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common.cli import reading, variable_option, with_options
from battlesnake_search.common.sockets import check_target
from battlesnake_search.common.types import CommandT, Options

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles, Credentials


_FILES = {
    "ca": ("CA", "PEM file of the authorities that check the {service}'s certificate."),
    "cert": ("CERT", "PEM file of the certificate to show to a server that asks for one."),
    "key": ("KEY", "PEM file of that certificate's key."),
    "token": ("TOKEN_FILE", "File with the token to show to a server that asks for one."),
}
"""For each credential option: the end of its name, the end of its variable, and its help."""


def credentials_of(service: str) -> tuple[str, ...]:
    """Return the parameters of the options for calls to a service."""
    return tuple(f"{service}_{name}" for name in _FILES)


CREDENTIALS = credentials_of("searcher")
"""The parameters of the options for calls to searchers."""

VARIABLES = {"searcher": "SEARCHER_TARGET"} | {
    f"searcher_{name}": f"SEARCHER_TARGET_{variable}" for name, (variable, _) in _FILES.items()
}
"""The variables of the options for searchers and their credentials, by their parameters."""


def credential_options_for(service: str) -> Callable[[CommandT], CommandT]:
    """Return the decorator with the options for calls to a service. Changed files are read again."""
    return with_options(
        *(
            variable_option(
                f"--{service}-{name}",
                type=click.Path(path_type=Path),
                envvar=f"{service.upper()}_TARGET_{variable}",
                metavar="FILE",
                help=help.format(service=service),
            )
            for name, (variable, help) in _FILES.items()
        )
    )


def credential_files(given: Options, parameters: Iterable[str] = CREDENTIALS) -> "CredentialFiles | None":
    """Return the files in a command's parameters; None without files.

    Raises ValueError for a certificate without a key, or a key without a certificate.
    """
    paths: list[Path | None] = [given[parameter] for parameter in parameters]
    if not any(paths):
        return None
    # Only commands that search wait for these imports.
    from battlesnake_search.channels import CredentialFiles
    from battlesnake_search.common.access import CertificateFiles

    authorities, chain, key, token = paths
    return CredentialFiles(CertificateFiles(chain, key, authorities), token)


credential_options = credential_options_for("searcher")
"""The decorator with the options for calls to searchers."""


def searcher_options(help: str) -> Callable[[CommandT], CommandT]:
    """Return a decorator with the options; `help` describes the case without a searcher."""
    return with_options(
        variable_option(
            "--searcher",
            callback=reading(checked_target),
            default="",
            show_default=False,
            envvar=VARIABLES["searcher"],
            metavar="TARGET",
            help=help,
        ),
        credential_options,
    )


def checked_target(value: str) -> str:
    """Return a valid target or the empty text unchanged. Raises ValueError for an invalid target."""
    if value:
        check_target(value)
    return value


def read_credentials(
    given: Mapping[str, Path | None], target: str | None, service: str = "searcher"
) -> "Credentials | None":
    """Read the credential files that a service's options name; return None if they name no file.

    `given` has the values of the options in their order. The credentials are for calls to `target`. If it is
    None, they are for the targets of routes, and some of these may not use TLS. Raises BadParameter with the
    options and the error.
    """
    if not any(given.values()):
        return None
    # Only commands that search wait for these imports.
    from battlesnake_search.channels import Credentials

    try:
        credentials = Credentials(credential_files(given, given))
    except (OSError, ValueError) as error:
        fields, reason = [field for field in given if given[field]], str(error)
        if isinstance(error, OSError):
            fields = [field for field in fields if str(given[field]) == str(error.filename)]
            # The value may be the token itself, and must not be shown.
            is_token = fields == [f"{service}_token"]
            reason = f"{'it must name a file' if is_token else error.filename}: {error.strerror}"
        raise click.BadParameter(reason, param_hint=_names(fields)) from error
    if target is not None:
        _check_uses_tls(target, given, service)
    return credentials


def _check_uses_tls(target: str, given: Mapping[str, Path | None], service: str) -> None:
    """Raise BadParameter for certificates that no connection to the target would use."""
    from battlesnake_search.channels import TLS

    unused = [field for field in given if given[field] and field != f"{service}_token"]
    if unused and not target.startswith(TLS):
        asked = f"--{service} is {target!r}" if target else f"the embedded {service} needs none"
        raise click.BadParameter(
            f"certificates are for targets that begin with {TLS}, and {asked}", param_hint=_names(unused)
        )


def _names(fields: Iterable[str]) -> str:
    return " / ".join(f"--{field.replace('_', '-')}" for field in fields)


def checked_strategy(value: str) -> str:
    """Return a valid strategy or the empty text unchanged. Raises ValueError for an invalid strategy."""
    if value:
        # Only commands that plan a search wait for the slow import of protobuf.
        from battlesnake_search import translate

        translate.parse_strategy(value)
    return value
