"""The options that say which searchers to ask, and what to show to them."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from battlesnake_search.options import CREDENTIALS, credential_files, credential_options

if TYPE_CHECKING:
    from battlesnake_search.channels import Credentials

_CERTIFICATES = CREDENTIALS[:3]
"""The parameters that only connections with TLS use."""

_Command = Callable[..., Any]


def searcher_options(help: str) -> Callable[[_Command], _Command]:
    """Return a decorator with the options; `help` says what happens without a searcher."""
    target = click.option(
        "--searcher",
        default="",
        show_default=False,
        envvar="SEARCHER_TARGET",
        show_envvar=True,
        metavar="TARGET",
        help=help,
    )
    return lambda command: target(credential_options(command))


def read_credentials(given: Mapping[str, Path | None], target: str | None) -> "Credentials | None":
    """Read the files of the credentials' options; None if there are none.

    They are for this target; None: for those of routes, with TLS or without. Raises BadParameter that names
    the options and what is wrong with them.
    """
    if not any(given.values()):
        return None
    # Commands that search nothing would wait for these imports.
    from battlesnake_search.channels import Credentials

    try:
        credentials = Credentials(credential_files(given))
    except (OSError, ValueError) as error:
        hint = _names(field for field in CREDENTIALS if given[field])
        raise click.BadParameter(str(error), param_hint=hint) from error
    if target is not None:
        _check_uses_tls(target, given)
    return credentials


def _check_uses_tls(target: str, given: Mapping[str, Path | None]) -> None:
    """Raise BadParameter if there are certificates, and no connection to the target would use them."""
    from battlesnake_search.channels import TLS

    if (unused := [field for field in _CERTIFICATES if given[field]]) and not target.startswith(TLS):
        asked = f"--searcher is {target!r}" if target else "the embedded searcher needs none"
        raise click.BadParameter(
            f"certificates are for targets that begin with {TLS}, and {asked}", param_hint=_names(unused)
        )


def _names(fields: Iterable[str]) -> str:
    return " / ".join(f"--{field.replace('_', '-')}" for field in fields)
