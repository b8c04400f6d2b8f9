"""The options that say which searchers to ask, and what to show to them."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from battlesnake_search.credentials import Credentials

CREDENTIALS = ("searcher_ca", "searcher_cert", "searcher_key", "searcher_token")
"""The parameters of the credentials' options."""

_CERTIFICATES = CREDENTIALS[:3]
"""Those that only connections with TLS use."""

_Command = Callable[..., Any]


def searcher_options(help: str) -> Callable[[_Command], _Command]:
    """Return a decorator with the options; `help` says what happens without a searcher."""

    def add(command: _Command) -> _Command:
        for option in reversed((_target(help), *_CREDENTIALS)):
            command = option(command)
        return command

    return add


def read_credentials(given: Mapping[str, Path | None], target: str | None) -> "Credentials | None":
    """Read the files of the credentials' options; None if there are none.

    They are for this target; None: for those of routes, with TLS or without. Raises BadParameter that names
    the options and what is wrong with them.
    """
    if not any(given.values()):
        return None
    # Commands that search nothing would wait for these imports.
    from access.certificates import CertificateFiles
    from battlesnake_search.credentials import CredentialFiles, Credentials

    authorities, chain, key, token = (given[field] for field in CREDENTIALS)
    hint = _names(field for field in CREDENTIALS if given[field])
    try:
        credentials = Credentials(CredentialFiles(CertificateFiles(chain, key, authorities), token))
    except (OSError, ValueError) as error:
        raise click.BadParameter(str(error), param_hint=hint) from error
    if target is not None:
        _check_uses_tls(target, given)
    return credentials


def _check_uses_tls(target: str, given: Mapping[str, Path | None]) -> None:
    """Raise BadParameter if there are certificates, and no connection to the target would use them."""
    from battlesnake_search.credentials import TLS

    if (unused := [field for field in _CERTIFICATES if given[field]]) and not target.startswith(TLS):
        asked = f"--searcher is {target!r}" if target else "the embedded searcher needs none"
        raise click.BadParameter(
            f"certificates are for targets that begin with {TLS}, and {asked}", param_hint=_names(unused)
        )


def _names(fields: Iterable[str]) -> str:
    return " / ".join(f"--{field.replace('_', '-')}" for field in fields)


def _target(help: str) -> Callable[[_Command], _Command]:
    return click.option(
        "--searcher",
        default="",
        show_default=False,
        envvar="SEARCHER_TARGET",
        show_envvar=True,
        metavar="TARGET",
        help=help,
    )


def _file(name: str, variable: str, help: str) -> Callable[[_Command], _Command]:
    return click.option(
        f"--searcher-{name}",
        type=click.Path(path_type=Path),
        envvar=f"SEARCHER_TARGET_{variable}",
        show_envvar=True,
        metavar="FILE",
        help=help,
    )


_CREDENTIALS = (
    _file("ca", "CA", "PEM file of the authorities that searchers' certificates are checked against."),
    _file("cert", "CERT", "PEM file of the certificate to show to searchers that ask for one."),
    _file("key", "KEY", "PEM file of that certificate's key."),
    _file("token", "TOKEN_FILE", "File with the token to show to searchers that ask for one."),
)
"""Their files are read again when they change."""
